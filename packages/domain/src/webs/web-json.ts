import { type Web, web } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import type { webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { downSince } from '../monitoring/index.ts'
import { selectFields } from '../platform/json-fields.ts'

/** The SQL of those fields that are not simply the column of their name. */
const expressions: Partial<Record<keyof Web, string>> &
  Record<Exclude<keyof Web, keyof typeof webs.$inferSelect>, string> = {
  node: 'n.name',
  categories: `coalesce(of_web.categories, '[]'::json)`,
  monitoring_web_active: 'w.monitoring_web_active::int',
  down_since: downSince('w'),
  metadata: `json_build_object('topics', w.topics)`,
}

/** The names of a web's fields, in the order of a web's values in an array. */
export const webFields: readonly string[] = Object.keys(web.shape)

// Postgres renders the JSON, so a list of ten thousand webs is passed on as bytes.
const allFields = selectFields(web, 'w', expressions)
/** Tracking data is more than half of a list, and only the tracking list has columns of it. */
const withoutTracking = selectFields(web, 'w', { ...expressions, tracking_data: 'null' })

const asObject = sql`row_to_json(web)`
const asArray = sql`json_build_array(${sql.raw(webFields.map((field) => `web.${field}`).join(', '))})`

/**
 * Webs as a column of JSON. Times are in UTC, which is the time zone of every connection.
 * @param condition over `w`, the table of webs
 * @param categories joins `of_web`, with the JSON of a web's categories
 */
const webJson = (condition: SQL, categories: SQL, selected = allFields, json = asObject): SQL => sql`
  select ${json} as web from (
    select ${selected}
    from webs w
    left join nodes n on n.id = w.node_id
    ${categories}
    where ${condition} order by w.id
  ) web`

const categoriesJson = sql`json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name)`

const categoriesOfOne = sql`left join lateral (
  select ${categoriesJson} as categories from web_categories wc join categories c on c.id = wc.category_id where wc.web_id = w.id
) of_web on true`

/** Many webs have the same set of categories, so each set is rendered once, which saves a third of the time. */
const categoriesOfAll = sql`
  left join (
    with sets as materialized (
      select web_id, array_agg(category_id order by category_id) as ids from web_categories group by web_id
    )
    select web_id, categories from sets join (
      select ids, (select ${categoriesJson} from categories c where c.id = any(ids)) as categories
      from sets group by ids
    ) rendered using (ids)
  ) of_web on of_web.web_id = w.id`

const conditions = {
  active: sql`w.deleted_at is null`,
  deleted: sql`w.deleted_at is not null`,
  violating: sql`w.deleted_at is null and w.id in (select web_id from tracking_violations)`,
}

/**
 * The query for all active or deleted webs, or the active ones that violate the tracking policy, ordered by id.
 * @param options `asArrays`: each web is an array of the values of `webFields`
 */
export function websJsonQuery(
  which: keyof typeof conditions,
  { includeTracking = true, asArrays = false } = {},
): string {
  return new PgDialect().sqlToQuery(
    webJson(
      conditions[which],
      categoriesOfAll,
      includeTracking ? allFields : withoutTracking,
      asArrays ? asArray : asObject,
    ),
  ).sql
}

/** @returns webs, deleted or not, without their tracking data, in the order of their ids */
export async function presentWebs(db: Transaction, ids: readonly number[]): Promise<Web[]> {
  const condition = sql`w.id = any(${sql.param([...ids])}::int[])`
  const { rows } = await db.execute<{ web: Web }>(webJson(condition, categoriesOfOne, withoutTracking))
  return rows.map((row) => row.web)
}

/** @returns a web, deleted or not; null for an unknown id */
export async function presentWeb(db: Transaction, id: number): Promise<Web | null> {
  const { rows } = await db.execute<{ web: Web }>(webJson(sql`w.id = ${id}`, categoriesOfOne))
  return rows[0]?.web ?? null
}
