import type { JobOutcome } from '@kustos/clients/queue'
import { incidents, nodes, webs } from '@kustos/database/tables'
import { and, count, eq, gte, isNull, max, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type AlertTools, announce, enqueueAlerts, maxSingleMessages } from './alerts/index.ts'
import { announcementOf } from './jobs.ts'
import { collectOpened } from './notifications.ts'
import { hostOf, minWebsOfOutage } from './outage.ts'
import { type MonitoringSettings, roundGraceMs } from './settings.ts'

/** Lets incidents that have just been opened be announced within seconds. If that fails, the evaluation of the round does it. */
export const enqueueAnnouncement = (
  { queues, onError }: Pick<AlertTools, 'queues' | 'onError'>,
  now: Date,
): Promise<void> => queues.add(announcementOf(now)).catch(onError)

/**
 * So long after the last message about a host or a wave of many webs, those that followed are in the next one. With the windows of
 * announcements that is every four seconds, so that nobody waits for more than five.
 */
const followUpMs = 3_000

/**
 * Alerts of the incidents that probes have opened, before their round is evaluated. A host or a wave of many webs is announced with
 * the first of them; those that follow wait for some seconds, so that there is one message for them.
 */
export async function announceIncidents(
  context: Context,
  tools: AlertTools,
  { intervalSeconds }: Pick<MonitoringSettings, 'intervalSeconds'>,
): Promise<JobOutcome> {
  const now = context.now()
  const since = new Date(now.getTime() - intervalSeconds * 1000 - roundGraceMs)
  const { ids, left } = await context.db.transaction(async (tx) => {
    await lockInTransaction(tx, 'judgement')
    const host = hostOf('nodes')
    const announced = await tx
      .select({ host: sql<string | null>`${host}`, webs: count(), last: max(incidents.alerted_at) })
      .from(incidents)
      .innerJoin(webs, eq(webs.id, incidents.web_id))
      .leftJoin(nodes, eq(nodes.id, webs.node_id))
      .where(and(isNull(incidents.ended_at), gte(incidents.alerted_at, since)))
      .groupBy(host)
    const isWave = announced.reduce((sum, row) => sum + row.webs, 0) > maxSingleMessages
    const isRecent = ({ last }: { readonly last: Date | null }) =>
      last !== null && now.getTime() - last.getTime() < followUpMs
    const waiting = new Set(
      announced.filter((row) => row.webs >= minWebsOfOutage && isRecent(row)).map((row) => row.host),
    )
    const known = { since, webs: new Map(announced.map((row) => [row.host, row.webs])) }
    const news = await collectOpened(
      tx,
      now,
      (one) => (isWave ? !announced.some(isRecent) : one.host === null || !waiting.has(one.host)),
      known,
    )
    return {
      ids: await announce(tx, { ...news, resolved: [], isFollowUp: isWave }, { ...tools, now }),
      left: news.left,
    }
  })
  await enqueueAlerts(tools, ids)
  if (left > 0) await enqueueAnnouncement(tools, now)
  return 'done'
}
