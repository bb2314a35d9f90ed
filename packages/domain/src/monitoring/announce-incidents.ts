import type { JobOutcome } from '@kustos/clients/queue'
import { incidents, webs } from '@kustos/database/tables'
import { and, count, eq, gte, isNull } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type AlertTools, announce, enqueueAlerts, maxSingleMessages } from './alerts/index.ts'
import { announcementOf } from './jobs.ts'
import { collectOpened } from './notifications.ts'
import { minWebsOfOutage } from './outage.ts'
import { type MonitoringSettings, roundGraceMs } from './settings.ts'

/** Lets incidents that have just been opened be announced within seconds. If that fails, the evaluation of the round does it. */
export const enqueueAnnouncement = (
  { queues, onError }: Pick<AlertTools, 'queues' | 'onError'>,
  now: Date,
): Promise<void> => queues.add(announcementOf(now)).catch(onError)

/**
 * Alerts of the incidents that probes have opened, before their round is evaluated. A node or a wave of many webs is
 * announced with the first of them; those that follow are left to the evaluation, which has one message for them.
 */
export async function announceIncidents(
  context: Context,
  tools: AlertTools,
  { intervalSeconds }: Pick<MonitoringSettings, 'intervalSeconds'>,
): Promise<JobOutcome> {
  const now = context.now()
  const since = new Date(now.getTime() - intervalSeconds * 1000 - roundGraceMs)
  const ids = await context.db.transaction(async (tx) => {
    await lockInTransaction(tx, 'judgement')
    const announced = await tx
      .select({ node: webs.node_id, webs: count() })
      .from(incidents)
      .innerJoin(webs, eq(webs.id, incidents.web_id))
      .where(and(isNull(incidents.ended_at), gte(incidents.alerted_at, since)))
      .groupBy(webs.node_id)
    if (announced.reduce((sum, row) => sum + row.webs, 0) > maxSingleMessages) return []
    const known = new Set(
      announced.flatMap(({ node, webs: of }) => (node !== null && of >= minWebsOfOutage ? [node] : [])),
    )
    const { opened, nodes } = await collectOpened(tx, now, ({ node }) => node === null || !known.has(node.id))
    return announce(tx, { opened, resolved: [], nodes }, { ...tools, now })
  })
  await enqueueAlerts(tools, ids)
  return 'done'
}
