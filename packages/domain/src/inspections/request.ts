import type { InspectionKind } from '@kustos/contract/inspections'
import type { LogDescription, LogName } from '@kustos/contract/log-words'
import { inspections, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, notFound, violatesUnique } from '../platform/errors.ts'
import { enqueueInspection, type InspectionTools } from './jobs.ts'

interface Words {
  readonly log: LogName
  readonly requested: LogDescription
  readonly underWay: 'refresh_under_way' | 'audit_under_way'
}

const words: Readonly<Record<InspectionKind, Words>> = {
  refresh: {
    log: 'webs',
    requested: 'refresh requested',
    underWay: 'refresh_under_way',
  },
  tracking: {
    log: 'tracking',
    requested: 'audit requested',
    underWay: 'audit_under_way',
  },
}

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
  const { log, requested, underWay } = words[kind]
  const asked = await withAudit(context, async (tx) => {
    const [web] = await tx.db
      .select({ fqdn: webs.fqdn })
      .from(webs)
      .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
      .for('key share')
    if (!web) throw notFound('web_not_found', { id: webId })
    const [kept] = await tx.db
      .insert(inspections)
      .values({ web_id: webId, kind, requested_by: tx.actor?.id ?? null, created_at: tx.now() })
      .returning({ id: inspections.id })
    if (!kept) throw new Error('The inspection was not inserted')
    await tx.record({
      log,
      description: requested,
      subject: { type: 'web', id: webId },
      attributes: { inspection: kept.id },
    })
    return { id: kept.id, kind, fqdn: web.fqdn, web_id: webId }
  }).catch((error: unknown) => {
    throw violatesUnique(error, 'inspections_one_of_a_kind') ? conflict(underWay) : error
  })
  await enqueueInspection(tools, [asked], context.requestId)
  return asked.id
}
