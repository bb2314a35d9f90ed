import { message, readIssue } from '@kustos/contract/messages'
import type { DiscoveryFact, TakenOver, Takeover } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { asciiFqdn, fqdn as hostName, newWeb, websRoutes } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { discoveredWebs, nodes, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { findWebOfSystemUser, isProvisioning } from '../deployment/index.ts'
import { enqueueInspections, type InspectionTools, insertInspections } from '../inspections/index.ts'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  type LogEntry,
  nextUpdatedAt,
  withAudit,
} from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, forbidden, invalid, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { lockCode, readMergedCodes } from '../platform/merged-codes.ts'
import { type Found, findDifferences, findFramework, findStatus, type Known } from './compare-webs.ts'

const entry = entriesOf('webs', 'web')

/**
 * Adds found domains as webs, which are re-scanned immediately, and updates the facts of webs that exist. Facts without a column
 * are accepted: they are what later discoveries are compared with.
 * @throws DomainError not-found; forbidden without the permission to create webs; conflict if a domain is no longer there, or
 * its name or system user was taken at the same time; invalid for a new web without a customer or address
 */
export async function takeOverWebs(
  context: Context,
  tools: InspectionTools,
  nodeId: number,
  { webs: chosen }: Takeover,
): Promise<TakenOver> {
  const taken = {
    webs_active_fqdn: () => conflict('fqdn_taken_meanwhile'),
    webs_active_sysuser: () => conflict('system_user_taken_meanwhile'),
  }
  const { requested, ...counts } = await mapUniqueViolation(taken, () =>
    withAudit(context, async (tx) => {
      if (tx.actor !== null && !can(tx.actor, websRoutes.createWeb.access))
        throw forbidden('create_webs_needed')
      const [node] = await tx.db.select().from(nodes).where(eq(nodes.id, nodeId)).for('no key update')
      if (!node) throw notFound('node_not_found', { id: nodeId })
      const nodeNames = new Map(
        (await tx.db.select({ id: nodes.id, name: nodes.name }).from(nodes)).map(({ id, name }) => [
          id,
          name,
        ]),
      )
      const names = [...new Set(chosen.map(({ fqdn }) => asciiFqdn(fqdn) ?? fqdn))].sort()
      const customers = new Map(chosen.map(({ fqdn, customer }) => [asciiFqdn(fqdn) ?? fqdn, customer]))
      const rows = await tx.db
        .select()
        .from(discoveredWebs)
        .where(and(eq(discoveredWebs.node_id, nodeId), inArray(discoveredWebs.fqdn_ascii, names)))
        .orderBy(discoveredWebs.fqdn_ascii)
      // A discovery leaves out the other names and says why, but an earlier release has kept some of them.
      const found = rows.filter(({ fqdn }) => hostName.safeParse(fqdn).success)
      const missing = names.find((name) => !found.some(({ fqdn_ascii }) => fqdn_ascii === name))
      if (missing !== undefined) throw conflict('discovery_outdated', { fqdn: missing })
      const existing = await tx.db
        .select()
        .from(webs)
        .where(and(inArray(webs.fqdn_ascii, names), isNull(webs.deleted_at)))
        .orderBy(webs.id)
        .for('update')
      const provisioning = await findProvisioning(
        tx.db,
        existing.map(({ id }) => id),
      )
      const byName = new Map(
        existing.map((web) => [
          web.fqdn_ascii,
          {
            ...web,
            node: nodeNames.get(web.node_id ?? 0) ?? null,
            isProvisioning: provisioning.has(web.id),
          },
        ]),
      )
      // All other locks come before the first web is written, whose trigger locks the revision of the list of webs.
      const users: SystemUsers = { given: new Set(), released: new Set() }
      const additions: Addition[] = []
      const updates: Update[] = []
      for (const row of found) {
        const web = byName.get(row.fqdn_ascii)
        if (web === undefined)
          additions.push(
            await planAddition(tx, node, row, { users, customer: customers.get(row.fqdn_ascii) || null }),
          )
        else updates.push(...(await planUpdate(tx, node, row, web, users)))
      }
      if (updates.length > 0) await tx.recordAll(updates.map((update) => update.entry))
      for (const { id, columns } of updates)
        if (columns !== null) await tx.db.update(webs).set(columns).where(eq(webs.id, id))
      const created = await insertWebs(tx, node, additions)
      if (created.length + updates.length === 0) tx.skipAudit()
      else await acceptBaselines(tx, nodeId, names)
      return {
        created: created.length,
        updated: updates.length,
        requested: await insertInspections(tx.db, 'refresh', created, tx.now()),
      }
    }),
  )
  await enqueueInspections(tools, requested, context.requestId)
  return counts
}

async function findProvisioning(db: Transaction, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .select({ id: webs.id })
    .from(webs)
    .where(and(isAnyOf(webs.id, ids), isProvisioning))
  return new Set(rows.map(({ id }) => id))
}

/**
 * @param owner as the panel names it, which may be a customer that was merged into another
 * @throws DomainError invalid for a customer that users could not enter either
 */
async function readCustomer(tx: Scope, given: string | null, owner: string | null): Promise<string> {
  const parsed = newWeb.shape.customer.safeParse(given ?? owner ?? '')
  if (parsed.success) {
    const { data: customer } = parsed
    const into = given === null ? (await readMergedCodes(tx.db)).get(customer) : undefined
    return into ?? lockCode(tx, customer)
  }
  throw invalid({
    customer: readIssue(parsed.error.issues[0]?.message ?? '') ?? message('customer_required'),
  })
}

type Node = typeof nodes.$inferSelect

/** The system users of the node that webs get, and that they give up, in the same transaction. */
interface SystemUsers {
  readonly given: Set<string>
  readonly released: Set<string>
}

type Addition = Awaited<ReturnType<typeof planAddition>>

/** @returns the columns of a new web @throws DomainError invalid without a customer or address */
async function planAddition(
  tx: Scope,
  node: Node,
  row: Found,
  { users, customer }: { readonly users: SystemUsers; readonly customer: string | null },
) {
  const facts = await factsOf(tx, node.id, row, undefined, users)
  const code = await readCustomer(tx, customer, row.owner)
  const address = row.address ?? node.address
  if (address === null) throw invalid({ address: message('node_address_unknown', { node: node.name }) })
  const { fqdn, fqdn_ascii } = row
  return { fqdn, fqdn_ascii, customer: code, configured_ip: address, node_id: node.id, ...facts }
}

/** Inserts webs and records each. @returns them in the same order */
async function insertWebs(
  tx: AuditTransaction,
  node: Node,
  additions: readonly Addition[],
): Promise<{ id: number; fqdn: string }[]> {
  const now = tx.now()
  const created: { id: number; fqdn: string }[] = []
  const entries: LogEntry[] = []
  for (const addition of additions) {
    const [added] = await tx.db
      .insert(webs)
      .values({ ...addition, created_at: now, updated_at: now })
      .returning({ id: webs.id })
    if (!added) throw new Error('The web was not inserted')
    created.push({ id: added.id, fqdn: addition.fqdn })
    const { node_id: _, fqdn_ascii: _ascii, ...attributes } = addition
    entries.push({ ...entry('created', added.id), attributes: { ...attributes, node: node.name } })
  }
  if (entries.length > 0) await tx.recordAll(entries)
  return created
}

interface Update {
  readonly id: number
  /** Null if only facts without a column differ. */
  readonly columns: Partial<typeof webs.$inferInsert> | null
  readonly entry: LogEntry
}

/** @returns nothing if nothing differs */
async function planUpdate(
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
  return [
    {
      id: web.id,
      columns: columns && { ...columns, node_id: node.id, updated_at: nextUpdatedAt(web, tx) },
      entry: { ...entry('updated', web.id), ...change },
    },
  ]
}

const isWithoutColumn = (fact: DiscoveryFact) => fact === 'php_version' || fact === 'databases'

/** What could not be read keeps its baseline. */
async function acceptBaselines({ db }: Scope, nodeId: number, names: readonly string[]): Promise<void> {
  const { php_version, databases, databases_read, baseline_php_version, baseline_databases } = discoveredWebs
  await db
    .update(discoveredWebs)
    .set({
      baseline_php_version: sql`coalesce(${php_version}, ${baseline_php_version})`,
      baseline_databases: sql`case when ${databases_read} then ${databases} else ${baseline_databases} end`,
    })
    .where(and(eq(discoveredWebs.node_id, nodeId), inArray(discoveredWebs.fqdn_ascii, names)))
}

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
