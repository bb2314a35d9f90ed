import type { InspectionKind } from '@kustos/contract/inspections'
import type { LogDescription, LogName } from '@kustos/contract/log-words'
import { inspections, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { brokeUnique, conflict, notFound } from '../errors.ts'
import { handOver, type InspectionTools } from './jobs.ts'

interface Words {
  readonly log: LogName
  readonly requested: LogDescription
  readonly underWay: string
}

const words: Readonly<Record<InspectionKind, Words>> = {
  refresh: {
    log: 'webs',
    requested: 'refresh requested',
    underWay: 'A refresh of this web is already waiting or running.',
  },
  tracking: {
    log: 'tracking',
    requested: 'audit requested',
    underWay: 'A tracking audit of this web is already waiting or running.',
  },
}

/**
 * Asks for a look at a web.
 * @returns the inspection's id
 * @throws DomainError not-found; conflict while one of the same kind is under way for it
 */
export async function requestInspection(
  context: Context,
  tools: InspectionTools,
  kind: InspectionKind,
  webId: number,
): Promise<number> {
  const { log, requested, underWay } = words[kind]
  const asked = await change(context, async (inside) => {
    const [web] = await inside.db
      .select({ fqdn: webs.fqdn })
      .from(webs)
      .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
      .for('key share')
    if (!web) throw notFound(`Web ${webId}`)
    const [kept] = await inside.db
      .insert(inspections)
      .values({ web_id: webId, kind, requested_by: inside.actor?.id ?? null, created_at: inside.now() })
      .returning({ id: inspections.id })
    if (!kept) throw new Error('The inspection was not kept')
    await inside.record({
      log,
      description: requested,
      subject: { type: 'web', id: webId },
      attributes: { inspection: kept.id },
    })
    return { id: kept.id, kind, fqdn: web.fqdn, web_id: webId }
  }).catch((error: unknown) => {
    throw brokeUnique(error, 'inspections_one_of_a_kind') ? conflict(underWay) : error
  })
  await handOver(tools, [asked], context.requestId)
  return asked.id
}
