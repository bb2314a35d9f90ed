import type { NewMaintenanceWindow } from '@kustos/contract/maintenance'
import { message } from '@kustos/contract/messages'
import { customers, type maintenanceScopes, nodes, webs } from '@kustos/database/tables'
import { and, inArray } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { lockTags } from '../tags/index.ts'

/** What a window covers, as it is stored. */
export type StoredScope = Omit<typeof maintenanceScopes.$inferSelect, 'id'>

/** What a window covers, as users see it. */
export interface Targets {
  readonly webs: { readonly id: number; readonly fqdn: string }[]
  readonly nodes: string[]
  readonly customers: string[]
  readonly tags: string[]
}

type TargetInput = Pick<NewMaintenanceWindow, 'webs' | 'nodes' | 'customers' | 'tags'>

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)].sort()

/**
 * What a form names, as it is stored.
 * @param kept ids of webs that the user does not see, which stay in an edited window
 * @throws DomainError invalid, by field, for what does not exist or is hidden from the user
 */
export async function resolveTargets(
  tx: Scope,
  input: TargetInput,
  kept: readonly number[] = [],
): Promise<StoredScope> {
  const tags = await lockTags(tx, distinct(input.tags))
  const webIds = distinct(input.webs).sort((a, b) => a - b)
  const seen = await tx.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(isAnyOf(webs.id, webIds), visibleWebs(tx)))
  const unknownWeb = firstMissing(
    webIds,
    seen.map(({ id }) => id),
  )
  if (unknownWeb !== undefined) throw invalid({ webs: message('web_not_found', { id: unknownWeb }) })
  // Kept from being deleted until the window is stored with their ids.
  const nodeRows = await tx.db
    .select({ id: nodes.id, name: nodes.name })
    .from(nodes)
    .where(inArray(nodes.name, input.nodes))
    .orderBy(nodes.id)
    .for('key share')
  const unknownNode = firstMissing(
    input.nodes,
    nodeRows.map(({ name }) => name),
  )
  if (unknownNode !== undefined)
    throw invalid({ nodes: message('node_named_not_found', { name: unknownNode }) })
  const codes = distinct(input.customers)
  // Kept from being merged into another one until the window is stored with its code.
  const known = await tx.db
    .select({ code: customers.code })
    .from(customers)
    .where(inArray(customers.code, codes))
    .orderBy(customers.id)
    .for('key share')
  const unknownCode = firstMissing(
    codes,
    known.map(({ code }) => code),
  )
  if (unknownCode !== undefined)
    throw invalid({ customers: message('customer_not_found', { code: unknownCode }) })
  return {
    web_ids: distinct([...webIds, ...kept]).sort((a, b) => a - b),
    node_ids: nodeRows.map(({ id }) => id),
    customers: codes,
    tags,
  }
}

function firstMissing<T>(wanted: readonly T[], found: readonly T[]): T | undefined {
  const known = new Set(found)
  return wanted.find((one) => !known.has(one))
}

/** Reads what scopes cover, by name, as far as the acting user may see it. */
export async function readTargets(
  context: Pick<Scope, 'db' | 'actor'>,
  scopes: readonly StoredScope[],
): Promise<(scope: StoredScope) => Targets> {
  const webIds = distinct(scopes.flatMap(({ web_ids }) => web_ids))
  const nodeIds = distinct(scopes.flatMap(({ node_ids }) => node_ids))
  const webRows =
    webIds.length === 0
      ? []
      : await context.db
          .select({ id: webs.id, fqdn: webs.fqdn })
          .from(webs)
          .where(and(isAnyOf(webs.id, webIds), visibleWebs(context)))
  const nodeRows =
    nodeIds.length === 0
      ? []
      : await context.db
          .select({ id: nodes.id, name: nodes.name })
          .from(nodes)
          .where(isAnyOf(nodes.id, nodeIds))
  const webOf = new Map(webRows.map((web) => [web.id, web]))
  const nodeOf = new Map(nodeRows.map(({ id, name }) => [id, name]))
  return ({ web_ids, node_ids, customers: codes, tags }) => ({
    webs: web_ids.flatMap((id) => webOf.get(id) ?? []),
    nodes: node_ids.flatMap((id) => nodeOf.get(id) ?? []),
    customers: codes,
    tags,
  })
}

/** Whether the acting user may know of a window: it covers something, and not only webs that are hidden from the user. */
export const isVisible = (targets: Targets): boolean =>
  [targets.webs, targets.nodes, targets.customers, targets.tags].some((list) => list.length > 0)
