import { message, readIssue } from '@kustos/contract/messages'
import type { DiscoveryFact } from '@kustos/contract/nodes'
import { newWeb } from '@kustos/contract/webs'
import type { nodes, webs } from '@kustos/database/tables'
import { findWebOfSystemUser } from '../deployment/index.ts'
import { difference, entriesOf, type LogEntry, nextUpdatedAt } from '../platform/audit.ts'
import type { Scope } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { lockCode, lockCustomers, readMergedCodes } from '../platform/merged-codes.ts'
import { type Found, findDifferences, findFramework, findStatus, type Known } from './compare-webs.ts'

export const entry = entriesOf('webs', 'web')

export type Node = typeof nodes.$inferSelect

/** The system users of the node that webs get, and that they give up, in the same transaction. */
export interface SystemUsers {
  readonly given: Set<string>
  readonly released: Set<string>
}

export type Addition = Awaited<ReturnType<typeof planAddition>>

/** @returns the columns of a new web @throws DomainError invalid without an address */
export async function planAddition(
  tx: Scope,
  node: Node,
  row: Found,
  { users, customer }: { readonly users: SystemUsers; readonly customer: string },
) {
  const facts = await factsOf(tx, node.id, row, undefined, users)
  const address = row.address ?? node.address
  if (address === null) throw invalid({ address: message('node_address_unknown', { node: node.name }) })
  const { fqdn, fqdn_ascii } = row
  return { fqdn, fqdn_ascii, customer, configured_ip: address, node_id: node.id, ...facts }
}

/**
 * Reads the codes of new webs, and keeps their customers from being merged away before the transaction ends. The panel may name an
 * owner by the code of a customer that was merged into another.
 * @param given by the user, who may leave it to the panel, by name
 * @returns them by name
 * @throws DomainError invalid without a customer, and for one that users could not enter either
 */
export async function lockCustomersOf(
  tx: Scope,
  rows: readonly Found[],
  given: ReadonlyMap<string, string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const merged = await readMergedCodes(tx.db)
  const codes = new Map<string, string>()
  for (const { fqdn_ascii, owner } of rows) {
    const entered = given.get(fqdn_ascii) || null
    const { data: code, error } = newWeb.shape.customer.safeParse(entered ?? owner ?? '')
    if (code === undefined)
      throw invalid({
        customer: readIssue(error.issues[0]?.message ?? '') ?? message('customer_required'),
      })
    codes.set(fqdn_ascii, (entered === null ? merged.get(code) : undefined) ?? code)
  }
  const distinct = [...new Set(codes.values())]
  await lockCustomers(tx, distinct)
  const current = new Map<string, string>()
  for (const code of distinct) current.set(code, await lockCode(tx, code))
  return new Map([...codes].map(([name, code]) => [name, current.get(code) ?? code]))
}

export interface Update {
  readonly id: number
  /** Null if only facts without a column differ. */
  readonly columns: Partial<typeof webs.$inferInsert> | null
  readonly entry: LogEntry
}

/** @returns nothing if nothing changes */
export async function planUpdate(
  tx: Scope,
  node: Node,
  row: Found,
  web: typeof webs.$inferSelect & Pick<Known, 'node' | 'isProvisioning'>,
  users: SystemUsers,
): Promise<readonly Update[]> {
  const differences = findDifferences(node.name, row, web)
  if (differences.length === 0) return []
  const accepted = differences.filter(({ fact }) => isWithoutColumn(fact))
  const { sites, aliases, ...facts } = await factsOf(tx, node.id, row, web, users)
  const isChanged = (name: DiscoveryFact) => differences.some(({ fact }) => fact === name)
  const columns =
    accepted.length === differences.length
      ? null
      : // Another order is no change.
        { ...facts, ...(isChanged('sites') && { sites }), ...(isChanged('aliases') && { aliases }) }
  const sideOf = (side: 'before' | 'after') =>
    Object.fromEntries(accepted.map((each) => [each.fact, each[side]]))
  const change = difference<Record<string, unknown>>(
    { ...web, ...sideOf('before') },
    { ...(columns !== null && { ...columns, node: node.name }), ...sideOf('after') },
  )
  // For example, if only its system user differs, which is another web's.
  if (change === null) return []
  return [
    {
      id: web.id,
      columns: columns && { ...columns, node_id: node.id, updated_at: nextUpdatedAt(web, tx) },
      entry: { ...entry('updated', web.id), ...change },
    },
  ]
}

const isWithoutColumn = (fact: DiscoveryFact) => fact === 'php_version' || fact === 'databases'

/** The columns of a web; those that could not be read are left out. */
async function factsOf(
  tx: Scope,
  nodeId: number,
  row: Found,
  web:
    | Pick<
        Known,
        'node_id' | 'status' | 'sysuser' | 'framework_name' | 'framework_version' | 'isProvisioning'
      >
    | undefined,
  users: SystemUsers,
) {
  const { sites, aliases } = row
  const status = web === undefined ? row.status : findStatus(row, web)
  // On another node, a user of the same name is somebody else's.
  const own = web?.node_id === nodeId ? web.sysuser : null
  const isFree =
    row.sysuser !== null && row.sysuser !== own && (await isUnused(tx, nodeId, row.sysuser, users))
  if (isFree && row.sysuser !== null) users.given.add(row.sysuser)
  if (isFree && own !== null) users.released.add(own)
  const hosts = (names: readonly string[]) => names.map((fqdn) => ({ fqdn }))
  return {
    sysuser: isFree ? row.sysuser : own,
    ...(status !== null && { status }),
    ...findFramework(row, web ?? { framework_name: null, framework_version: null }),
    sites: hosts(sites),
    ...(aliases !== null && { aliases: hosts(aliases) }),
  }
}

const isUnused = async (
  { db }: Scope,
  nodeId: number,
  user: string,
  { given, released }: SystemUsers,
): Promise<boolean> =>
  !given.has(user) && (released.has(user) || (await findWebOfSystemUser(db, user, nodeId)) === null)
