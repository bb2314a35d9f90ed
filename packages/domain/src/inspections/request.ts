import type { InspectionKind } from '@kustos/contract/inspections'
import { inspections, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { enqueueInspections, type InspectionTools, isUnderWay } from './jobs.ts'

const logFields = {
  refresh: { log: 'webs', description: 'refresh requested' },
  tracking: { log: 'tracking', description: 'audit requested' },
} as const

/**
 * Requests an inspection of a web, unless one of the same kind is waiting or running, which then serves this request, too.
 * @returns the id of the inspection
 * @throws DomainError not-found
 */
export async function requestInspection(
  context: Context,
  tools: InspectionTools,
  kind: InspectionKind,
  webId: number,
): Promise<number> {
  for (;;) {
    const { inserted, id } = await withAudit(context, (tx) => insertInspection(tx, kind, webId))
    if (inserted !== null) await enqueueInspections(tools, [inserted], context.requestId)
    if (id !== undefined) return id
    // The one that was under way has just ended.
  }
}

async function insertInspection(tx: AuditTransaction, kind: InspectionKind, webId: number) {
  const [web] = await tx.db
    .select({ fqdn: webs.fqdn })
    .from(webs)
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
    .for('key share')
  if (!web) throw notFound('web_not_found', { id: webId })
  const [row] = await tx.db
    .insert(inspections)
    .values({ web_id: webId, kind, requested_by: tx.actor?.id ?? null, created_at: tx.now() })
    .onConflictDoNothing()
    .returning({ id: inspections.id })
  if (row) {
    const { id } = row
    await tx.record({
      ...logFields[kind],
      subject: { type: 'web', id: webId },
      attributes: { inspection: id },
    })
    return { id, inserted: { id, kind, fqdn: web.fqdn, web_id: webId } }
  }
  tx.skipAudit()
  const [current] = await tx.db
    .select({ id: inspections.id })
    .from(inspections)
    .where(and(eq(inspections.web_id, webId), eq(inspections.kind, kind), isUnderWay))
  return { id: current?.id, inserted: null }
}
