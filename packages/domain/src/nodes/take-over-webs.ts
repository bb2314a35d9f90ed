import type { TakenOver, Takeover } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { asciiFqdn, fqdn as hostName, websRoutes } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { discoveredWebs, nodes, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { isProvisioning } from '../deployment/index.ts'
import { enqueueInspections, type InspectionTools, insertInspections } from '../inspections/index.ts'
import { type AuditTransaction, type LogEntry, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, forbidden, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import {
  type Addition,
  entry,
  lockCustomersOf,
  type Node,
  planAddition,
  planUpdate,
  type SystemUsers,
  type Update,
} from './plan-takeover.ts'

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
      const given = new Map(chosen.map(({ fqdn, customer }) => [asciiFqdn(fqdn) ?? fqdn, customer]))
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
      const customers = await lockCustomersOf(
        tx,
        found.filter(({ fqdn_ascii }) => !byName.has(fqdn_ascii)),
        given,
      )
      const users: SystemUsers = { given: new Set(), released: new Set() }
      const additions: Addition[] = []
      const updates: Update[] = []
      for (const row of found) {
        const web = byName.get(row.fqdn_ascii)
        const customer = customers.get(row.fqdn_ascii)
        if (customer !== undefined) additions.push(await planAddition(tx, node, row, { users, customer }))
        if (web !== undefined) updates.push(...(await planUpdate(tx, node, row, web, users)))
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
