import type { InspectionKind } from '@kustos/contract/inspections'
import { inspections, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { enqueueInspections, type InspectionTools } from './jobs.ts'

const logFields = {
  refresh: { log: 'webs', description: 'refresh requested', underWay: 'refresh_under_way' },
  tracking: { log: 'tracking', description: 'audit requested', underWay: 'audit_under_way' },
} as const

/**
 * Requests an inspection of a web.
 * @returns the id of the inspection
 * @throws DomainError not-found; conflict while one of the same kind is waiting or running
 */
export async function requestInspection(
  context: Context,
  tools: InspectionTools,
  kind: InspectionKind,
  webId: number,
): Promise<number> {
  const { underWay, ...entry } = logFields[kind]
  const isUnderWay = { inspections_one_of_a_kind: () => conflict(underWay) }
  const requested = await mapUniqueViolation(isUnderWay, () =>
    withAudit(context, async (tx) => {
      const [web] = await tx.db
        .select({ fqdn: webs.fqdn })
        .from(webs)
        .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
        .for('key share')
      if (!web) throw notFound('web_not_found', { id: webId })
      const [row] = await tx.db
        .insert(inspections)
        .values({ web_id: webId, kind, requested_by: tx.actor?.id ?? null, created_at: tx.now() })
        .returning({ id: inspections.id })
      if (!row) throw new Error('The inspection was not inserted')
      await tx.record({
        ...entry,
        subject: { type: 'web', id: webId },
        attributes: { inspection: row.id },
      })
      return { id: row.id, kind, fqdn: web.fqdn, web_id: webId }
    }),
  )
  await enqueueInspections(tools, [requested], context.requestId)
  return requested.id
}
