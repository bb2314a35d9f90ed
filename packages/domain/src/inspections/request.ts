import {
  type InspectionKind,
  type NodeInspectionKind,
  nodeInspectionKinds,
} from '@kustos/contract/inspections'
import { inspections, nodes, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { type AuditTransaction, type LogEntry, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { type EnqueueTools, enqueueInspections, isUnderWay } from './jobs.ts'

const logFields = {
  refresh: { log: 'webs', description: 'refresh requested' },
  tracking: { log: 'tracking', description: 'audit requested' },
  discovery: { log: 'nodes', description: 'discovery requested' },
  connection: { log: 'nodes', description: 'connection test requested' },
} as const

const isOfNode = (kind: InspectionKind): kind is NodeInspectionKind =>
  nodeInspectionKinds.some((each) => each === kind)

/**
 * Requests an inspection of a web or a node, unless one of the same kind is waiting or running, which then serves this request, too.
 * Somebody waits for it, so it comes before those of schedules, batches and imports, which may be thousands.
 * @returns the id of the inspection
 * @throws DomainError not-found
 */
export async function requestInspection(
  context: Context,
  tools: EnqueueTools,
  kind: InspectionKind,
  subjectId: number,
): Promise<number> {
  for (;;) {
    const { inserted, id } = await withAudit(context, (tx) => insertInspection(tx, kind, subjectId))
    if (inserted !== null) await enqueueInspections(tools, [inserted], context.requestId, { isUrgent: true })
    if (id !== undefined) return id
    // The one that was under way has just ended.
  }
}

/** The log entry of a request. */
export const requestEntry = (
  kind: InspectionKind,
  type: 'web' | 'node',
  subjectId: number,
  inspection: number,
): LogEntry => ({ ...logFields[kind], subject: { type, id: subjectId }, attributes: { inspection } })

/**
 * Inserts an inspection, unless one of the same kind is under way.
 * @returns its id, and the inspection to enqueue; null where one is under way already, whose id is undefined once it has ended
 * @throws DomainError not-found
 */
export async function insertInspection(tx: AuditTransaction, kind: InspectionKind, subjectId: number) {
  const subject = isOfNode(kind) ? await lockNode(tx, subjectId) : await lockWeb(tx, subjectId)
  const { type, name, columns } = subject
  const [row] = await tx.db
    .insert(inspections)
    .values({ ...columns, kind, requested_by: tx.actor?.id ?? null, created_at: tx.now() })
    .onConflictDoNothing()
    .returning({ id: inspections.id })
  if (row) {
    const { id } = row
    await tx.record(requestEntry(kind, type, subjectId, id))
    return { id, inserted: { id, kind, fqdn: name, web_id: type === 'web' ? subjectId : null } }
  }
  tx.skipAudit()
  const [current] = await tx.db
    .select({ id: inspections.id })
    .from(inspections)
    .where(and(subject.isIts, eq(inspections.kind, kind), isUnderWay))
  return { id: current?.id, inserted: null }
}

async function lockWeb({ db }: AuditTransaction, id: number) {
  const [web] = await db
    .select({ fqdn: webs.fqdn })
    .from(webs)
    .where(and(eq(webs.id, id), isNull(webs.deleted_at)))
    .for('key share')
  if (!web) throw notFound('web_not_found', { id })
  return { type: 'web', name: web.fqdn, columns: { web_id: id }, isIts: eq(inspections.web_id, id) } as const
}

async function lockNode({ db }: AuditTransaction, id: number) {
  const [node] = await db.select({ name: nodes.name }).from(nodes).where(eq(nodes.id, id)).for('key share')
  if (!node) throw notFound('node_not_found', { id })
  return {
    type: 'node',
    name: node.name,
    columns: { node_id: id },
    isIts: eq(inspections.node_id, id),
  } as const
}
