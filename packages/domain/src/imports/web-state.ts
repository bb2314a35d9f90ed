import type { Transaction } from '@kustos/database/client'
import { categories, nodes, webCategories, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'

/** The fields of a web that a file can have, as in its row and the audit log. */
export interface WebState {
  readonly fqdn: string
  readonly customer: string
  readonly configured_ip: string
  readonly framework_name: string | null
  readonly framework_version: string | null
  readonly comment: string | null
  readonly domain_state: number | null
  readonly monitoring_web_reporting_channel: string
  readonly monitoring_web_active: 0 | 1
  readonly auftragnr_hosting: readonly string[]
  /** By name, sorted. */
  readonly categories: readonly string[]
}

/** A web that is not deleted. */
export interface ExistingWeb {
  readonly id: number
  readonly fqdn_ascii: string
  readonly node: string | null
  readonly updated_at: Date
  readonly state: WebState
}

const columns = {
  id: webs.id,
  fqdn_ascii: webs.fqdn_ascii,
  node: nodes.name,
  updated_at: webs.updated_at,
  fqdn: webs.fqdn,
  customer: webs.customer,
  configured_ip: webs.configured_ip,
  framework_name: webs.framework_name,
  framework_version: webs.framework_version,
  comment: webs.comment,
  domain_state: webs.domain_state,
  monitoring_web_reporting_channel: webs.monitoring_web_reporting_channel,
  monitoring_web_active: webs.monitoring_web_active,
  auftragnr_hosting: webs.auftragnr_hosting,
}

/** All webs that are not deleted, or those of them with these ids. */
export async function readStates(db: Transaction, ids: readonly number[] | 'all'): Promise<ExistingWeb[]> {
  if (ids === 'all') return present(db, undefined)
  const found: ExistingWeb[] = []
  for (const portion of chunk(ids)) found.push(...(await present(db, portion)))
  return found
}

async function present(db: Transaction, ids: number[] | undefined): Promise<ExistingWeb[]> {
  const rows = await db
    .select(columns)
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
