import { type Message, message, readIssue } from '@kustos/contract/messages'
import type { Discovery, TakenOver, Takeover } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { asciiFqdn, fqdn as hostName, newWeb, websRoutes } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { discoveredWebs, inspections, nodes, webs } from '@kustos/database/tables'
import { and, desc, eq, exists, inArray, isNull, or, sql } from 'drizzle-orm'
import { findWebOfSystemUser } from '../deployment/index.ts'
import {
  enqueueInspections,
  type InspectionTools,
  insertInspections,
  readInspection,
} from '../inspections/index.ts'
import { difference, entriesOf, type LogEntry, nextUpdatedAt, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, forbidden, invalid, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { compareWebs, type Found, findDifferences, type Known } from './compare-webs.ts'

/** @throws DomainError not-found */
export async function readDiscovery(context: Context, nodeId: number): Promise<Discovery> {
  const { db } = context
  const [node] = await db.select({ id: nodes.id }).from(nodes).where(eq(nodes.id, nodeId))
  if (!node) throw notFound('node_not_found', { id: nodeId })
  const isDiscovery = and(eq(inspections.node_id, nodeId), eq(inspections.kind, 'discovery'))
  const [latest] = await db
    .select({ id: inspections.id })
    .from(inspections)
    .where(isDiscovery)
    .orderBy(desc(inspections.id))
    .limit(1)
  const [read] = await db
    .select({ at: inspections.ended_at, problems: inspections.problem_codes })
    .from(inspections)
    .where(and(isDiscovery, inArray(inspections.state, ['succeeded', 'partial'])))
    .orderBy(desc(inspections.id))
    .limit(1)
  const found = await db.select().from(discoveredWebs).where(eq(discoveredWebs.node_id, nodeId))
  return {
    inspection: latest ? await readInspection(context, latest.id) : null,
    read_at: read?.at?.toISOString() ?? null,
    // Before the first discovery, no web is missing.
    webs: read ? compareWebs(nodeId, found, await listKnown(db, nodeId), isComplete(read.problems)) : [],
  }
}

const isComplete = (problems: readonly Message[]): boolean =>
  !problems.some(({ code }) => code === 'discovery_webs_limited')

function listKnown(db: Transaction, nodeId: number): Promise<Known[]> {
  const isFound = exists(
    db
      .select({ one: sql`1` })
      .from(discoveredWebs)
      .where(and(eq(discoveredWebs.node_id, nodeId), eq(discoveredWebs.fqdn_ascii, webs.fqdn_ascii))),
  )
  return db
    .select({
      id: webs.id,
      fqdn: webs.fqdn,
      fqdn_ascii: webs.fqdn_ascii,
      customer: webs.customer,
      node_id: webs.node_id,
      status: webs.status,
      sysuser: webs.sysuser,
      sites: webs.sites,
      aliases: webs.aliases,
    })
    .from(webs)
    .where(and(isNull(webs.deleted_at), or(eq(webs.node_id, nodeId), isFound)))
}

const entry = entriesOf('webs', 'web')

/**
 * Adds found domains as webs, which are re-scanned immediately, and updates the facts of webs that exist.
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
      const [node] = await tx.db.select().from(nodes).where(eq(nodes.id, nodeId)).for('key share')
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
      const byName = new Map(existing.map((web) => [web.fqdn_ascii, web]))
      const created: { id: number; fqdn: string }[] = []
      const entries: LogEntry[] = []
      for (const row of found) {
        const web = byName.get(row.fqdn_ascii)
        const facts = await factsOf(tx, nodeId, row, web)
        if (web === undefined) {
          const customer = readCustomer(customers.get(row.fqdn_ascii) || row.owner)
          const address = row.address ?? node.address
          if (address === null)
            throw invalid({ address: message('node_address_unknown', { node: node.name }) })
          const now = tx.now()
          const values = { fqdn: row.fqdn, customer, configured_ip: address, node_id: nodeId, ...facts }
          const [added] = await tx.db
            .insert(webs)
            .values({ ...values, fqdn_ascii: row.fqdn_ascii, created_at: now, updated_at: now })
            .returning({ id: webs.id })
          if (!added) throw new Error('The web was not inserted')
          created.push({ id: added.id, fqdn: row.fqdn })
          const { node_id: _, ...attributes } = values
          entries.push({ ...entry('created', added.id), attributes: { ...attributes, node: node.name } })
        } else if (findDifferences(nodeId, row, web).length > 0) {
          await tx.db
            .update(webs)
            .set({ ...facts, node_id: nodeId, updated_at: nextUpdatedAt(web, tx) })
            .where(eq(webs.id, web.id))
          const before = { ...web, node: web.node_id === null ? null : nodeNames.get(web.node_id) }
          entries.push({
            ...entry('updated', web.id),
            ...difference<Record<string, unknown>>(before, { ...facts, node: node.name }),
          })
        }
      }
      if (entries.length === 0) tx.skipAudit()
      else await tx.recordAll(entries)
      return {
        created: created.length,
        updated: entries.length - created.length,
        requested: await insertInspections(tx.db, 'refresh', created, tx.now()),
      }
    }),
  )
  await enqueueInspections(tools, requested, context.requestId)
  return counts
}

/** @throws DomainError invalid for a customer that users could not enter either */
function readCustomer(given: string | null): string {
  const parsed = newWeb.shape.customer.safeParse(given ?? '')
  if (parsed.success) return parsed.data
  throw invalid({
    customer: readIssue(parsed.error.issues[0]?.message ?? '') ?? message('customer_required'),
  })
}

/** The columns of a web; those that could not be read are left out. */
async function factsOf(
  tx: Scope,
  nodeId: number,
  row: Found,
  web: Pick<Known, 'node_id' | 'sysuser'> | undefined,
) {
  const { status, sites, aliases } = row
  // On another node, a user of the same name is somebody else's.
  const own = web?.node_id === nodeId ? web.sysuser : null
  const isFree =
    row.sysuser !== null &&
    row.sysuser !== own &&
    (await findWebOfSystemUser(tx.db, row.sysuser, nodeId)) === null
  const hosts = (names: readonly string[]) => names.map((fqdn) => ({ fqdn }))
  return {
    sysuser: isFree ? row.sysuser : own,
    ...(status !== null && { status }),
    sites: hosts(sites),
    ...(aliases !== null && { aliases: hosts(aliases) }),
  }
}
