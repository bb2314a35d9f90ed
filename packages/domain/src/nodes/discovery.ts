import type { Message } from '@kustos/contract/messages'
import type { Discovery } from '@kustos/contract/nodes'
import type { Transaction } from '@kustos/database/client'
import { discoveredWebs, inspections, nodes, webs } from '@kustos/database/tables'
import { and, desc, eq, exists, inArray, isNull, or, sql } from 'drizzle-orm'
import { isProvisioning } from '../deployment/index.ts'
import { readInspection } from '../inspections/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { readMergedCodes } from '../platform/merged-codes.ts'
import { compareWebs, type Known } from './compare-webs.ts'

/** @throws DomainError not-found */
export async function readDiscovery(context: Context, nodeId: number): Promise<Discovery> {
  const { db } = context
  const [node] = await db.select({ id: nodes.id, name: nodes.name }).from(nodes).where(eq(nodes.id, nodeId))
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
  const rows = await db.select().from(discoveredWebs).where(eq(discoveredWebs.node_id, nodeId))
  const mergedCodes = await readMergedCodes(db)
  const found = rows.map((row) => ({ ...row, owner: mergedCodes.get(row.owner ?? '') ?? row.owner }))
  return {
    inspection: latest ? await readInspection(context, latest.id) : null,
    read_at: read?.at?.toISOString() ?? null,
    // Before the first discovery, no web is missing.
    webs: read ? compareWebs(node, found, await listKnown(db, nodeId), isComplete(read.problems)) : [],
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
      framework_name: webs.framework_name,
      framework_version: webs.framework_version,
      node: nodes.name,
      sites: webs.sites,
      aliases: webs.aliases,
      isProvisioning,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(isNull(webs.deleted_at), or(eq(webs.node_id, nodeId), isFound)))
}
