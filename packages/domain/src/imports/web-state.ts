import { type NewWeb, newWeb, type Web } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { categories, nodes, webCategories, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'

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

/** All webs that are not deleted, or those of them with these ids. */
export async function readStates(db: Transaction, ids: readonly number[] | 'all'): Promise<ExistingWeb[]> {
  if (ids === 'all') return readRows(db, undefined)
  const found: ExistingWeb[] = []
  for (const portion of chunk(ids)) found.push(...(await readRows(db, portion)))
  return found
}

async function readRows(db: Transaction, ids: number[] | undefined): Promise<ExistingWeb[]> {
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
    .where(and(isNull(webs.deleted_at), ids && inArray(webs.id, ids)))
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
  ids: number[] | undefined,
): Promise<ReadonlyMap<number, string[]>> {
  const links = await db
    .select({ web: webCategories.web_id, name: categories.name })
    .from(webCategories)
    .innerJoin(categories, eq(categories.id, webCategories.category_id))
    .where(ids && inArray(webCategories.web_id, ids))
  const groups = [...Map.groupBy(links, ({ web }) => web)]
  return new Map(groups.map(([web, group]) => [web, group.map(({ name }) => name).sort()]))
}
