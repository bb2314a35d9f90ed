import { type NewWeb, newWeb, type Web } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { storableJson } from '@kustos/database/storable-text'
import { categories, nodes, webCategories, webs } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'

/** The fields of a web that a file can have, as in its row and the audit log. */
export type WebState = Readonly<Pick<Web, PlainField>> & {
  /** By name, sorted. */
  readonly categories: readonly string[]
}

/** The editable fields that are columns of the table. */
type PlainField = Exclude<keyof NewWeb, 'categories' | 'node'>

/** A web that is not deleted. */
export interface ExistingWeb {
  readonly id: number
  readonly fqdn_ascii: string
  readonly node: string | null
  readonly updated_at: Date
  readonly state: WebState
}

const { categories: _categories, node: _node, ...plainFields } = newWeb.shape
const plainColumns = Object.fromEntries(
  Object.keys(plainFields).map((field) => [field, webs[field as PlainField]]),
) as { readonly [Field in PlainField]: (typeof webs)[Field] }

const defaults = Object.fromEntries(
  Object.entries(plainColumns).map(([field, column]) => [field, column.default ?? null]),
) as Pick<Web, PlainField>

/** The state of a new web; its line has the fields without a default. */
export const newWebState: Omit<WebState, 'fqdn' | 'customer' | 'configured_ip'> = {
  ...defaults,
  monitoring_web_active: 1,
  categories: [],
}

/** Webs that are not deleted: all, or those with these ids. */
export async function readStates(db: Transaction, ids?: readonly number[]): Promise<ExistingWeb[]> {
  const rows = await db
    .select({
      id: webs.id,
      fqdn_ascii: webs.fqdn_ascii,
      node: nodes.name,
      updated_at: webs.updated_at,
      ...plainColumns,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(isNull(webs.deleted_at), ids && isAnyOf(webs.id, ids)))
  const categoryNames = await readCategoryNames(db, ids)
  return rows.map(({ id, fqdn_ascii, node, updated_at, monitoring_web_active: active, ...state }) => ({
    id,
    fqdn_ascii,
    node,
    updated_at,
    state: { ...state, monitoring_web_active: active ? 1 : 0, categories: categoryNames.get(id) ?? [] },
  }))
}

/** The sorted names of the categories of all webs, or of those with these ids. */
export async function readCategoryNames(
  db: Transaction,
  ids?: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const links = await db
    .select({ web: webCategories.web_id, name: categories.name })
    .from(webCategories)
    .innerJoin(categories, eq(categories.id, webCategories.category_id))
    .where(ids && isAnyOf(webCategories.web_id, ids))
  const groups = [...Map.groupBy(links, ({ web }) => web)]
  return new Map(groups.map(([web, group]) => [web, group.map(({ name }) => name).sort()]))
}

/** Links webs to the categories of these names; unknown names are left out. */
export async function linkCategories(
  db: Transaction,
  webs: readonly { readonly id: number; readonly categories: readonly string[] }[],
  idOf: (name: string) => number | undefined,
): Promise<void> {
  const links = webs.flatMap(({ id, categories: names }) =>
    names.flatMap((name) => idOf(name) ?? []).map((category_id) => ({ web_id: id, category_id })),
  )
  // Even an empty statement would fire the triggers.
  if (links.length === 0) return
  await db.execute(sql`
    insert into ${webCategories} (web_id, category_id)
    select web_id, category_id from json_populate_recordset(null::${webCategories}, ${storableJson(links)})`)
}
