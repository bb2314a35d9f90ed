import type { Web } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/**
 * Every field of a web that leaves the server, with the SQL that it comes from. Postgres makes the JSON, so that a list
 * of ten thousand passes through as bytes; a single web is presented by the same lines.
 */
const fields: Readonly<Record<keyof Web, string>> = {
  id: 'w.id',
  fqdn: 'w.fqdn',
  customer: 'w.customer',
  node: 'n.name',
  categories: `coalesce(c.categories, '[]'::json)`,
  framework_name: 'w.framework_name',
  framework_version: 'w.framework_version',
  comment: 'w.comment',
  configured_ip: 'w.configured_ip',
  monitoring_web_reporting_channel: 'w.monitoring_web_reporting_channel',
  monitoring_web_active: 'w.monitoring_web_active::int',
  auftragnr_hosting: 'w.auftragnr_hosting',
  status: 'w.status',
  domain_status: 'w.domain_status',
  domain_state: 'w.domain_state',
  http_status_code: 'w.http_status_code',
  // Nobody watches the others, whatever the last round saw of them.
  down_since:
    'case when w.monitoring_web_active and w.status = 0 and w.domain_status = 1 then w.down_since end',
  sites: 'w.sites',
  aliases: 'w.aliases',
  sysuser: 'w.sysuser',
  cert_ca: 'w.cert_ca',
  cert_expiration: 'w.cert_expiration',
  disk_usage: 'w.disk_usage',
  tracking_data: 'w.tracking_data',
  metadata: `json_build_object('topics', w.topics)`,
  created_at: 'w.created_at',
  updated_at: 'w.updated_at',
  deleted_at: 'w.deleted_at',
}

const named = (expressions: Readonly<Record<string, string>>) =>
  sql.raw(
    Object.entries(expressions)
      .map(([field, expression]) => `${expression} as ${field}`)
      .join(', '),
  )

const all = named(fields)
/** As if nothing had been read yet: it is more than half of a list, and only the tracking list has columns of it. */
const withoutTracking = named({ ...fields, tracking_data: 'null' })

/**
 * Webs as JSON, one column. Times come out in UTC, which is every connection's time zone.
 * @param condition over `w`, the table of webs
 * @param categories joins `c`, with the JSON of a web's categories
 */
const webJson = (condition: SQL, categories: SQL, selected = all): SQL => sql`
  select row_to_json(web) as web from (
    select ${selected}
    from webs w
    left join nodes n on n.id = w.node_id
    ${categories}
    where ${condition} order by w.id
  ) web`

const list = sql`json_agg(json_build_object('id', k.id, 'name', k.name) order by k.name)`

const categoriesOfOne = sql`left join lateral (
  select ${list} as categories from web_categories wk join categories k on k.id = wk.category_id where wk.web_id = w.id
) c on true`

/** Webs share their few sets of categories: each set's JSON is made once, a third cheaper over all than once a web. */
const categoriesOfAll = sql`
  left join (
    select web_id, array_agg(category_id order by category_id) as ids from web_categories group by web_id
  ) s on s.web_id = w.id
  left join (
    select ids, (select ${list} from categories k where k.id = any(ids)) as categories
    from (select array_agg(category_id order by category_id) as ids from web_categories group by web_id) sets
    group by ids
  ) c on c.ids = s.ids`

/** The text of the query for all living or all deleted webs, in the order of their ids. */
export function websJsonQuery(which: 'living' | 'deleted', tracking = true): string {
  const condition = which === 'living' ? sql`w.deleted_at is null` : sql`w.deleted_at is not null`
  return new PgDialect().sqlToQuery(webJson(condition, categoriesOfAll, tracking ? all : withoutTracking)).sql
}

/** One web as it leaves the server, deleted or not; null for an unknown id. */
export async function presentWeb(db: Transaction, id: number): Promise<Web | null> {
  const { rows } = await db.execute<{ web: Web }>(webJson(sql`w.id = ${id}`, categoriesOfOne))
  return rows[0]?.web ?? null
}
