import { id } from '@kustos/contract/text'
import { alerts, certificateWarnings } from '@kustos/database/tables'
import { and, asc, lt, not, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import { enqueueMissingJobs } from '../../platform/enqueue-missing-jobs.ts'
import { createJob, defineJob } from '../../platform/jobs.ts'
import { stillHasCertificate } from '../certificates/same-certificate.ts'
import { isToSend } from './delivery-stream.ts'
import type { AlertTools } from './tools.ts'

export const sendAlertJob = defineJob({
  queue: 'notification',
  name: 'sendAlert',
  payload: z.object({ alert: id }),
})

const alertJobId = (alert: number) => `alert-${alert}`

const alertJob = (alert: number) => createJob(sendAlertJob, alertJobId(alert), { alert })

/** Enqueues the jobs of alerts that have just been committed. If that fails, the sweeper does it later. */
export async function enqueueAlerts(
  { queues, onError }: Pick<AlertTools, 'queues' | 'onError'>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await queues.addAll(sendAlertJob.queue, ids.map(alertJob)).catch(onError)
}

/** Lets the job of an alert start now, and adds it if there is none. */
export async function enqueueNext({ queues }: Pick<AlertTools, 'queues'>, id: number): Promise<void> {
  await queues.add(alertJob(id))
  await queues.promote(sendAlertJob.queue, alertJobId(id))
}

const batchSize = 1_000

/**
 * Enqueues alerts that have lost their job, because it could not be enqueued or the job queue has lost it: the first of each channel
 * and recipient, which enqueues the next one.
 */
export async function sweepAlerts({ db }: Pick<Context, 'db'>, { queues }: Pick<AlertTools, 'queues'>) {
  const waiting = await db
    .selectDistinctOn([alerts.channel, alerts.channel_id, alerts.recipient], { id: alerts.id })
    .from(alerts)
    .where(isToSend)
    .orderBy(asc(alerts.channel), asc(alerts.channel_id), asc(alerts.recipient), asc(alerts.id))
    .limit(batchSize)
  return enqueueMissingJobs(
    queues,
    waiting.map(({ id }) => alertJob(id)),
  )
}

/** For alerts, and for warnings after the end of their certificates. */
const retentionDays = 90

/** Removes old alerts. No user has caused that, so it is not in the audit log. */
export async function purgeAlerts({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<{ readonly alerts: number } | null> {
  const before = new Date(now().getTime() - retentionDays * 86_400_000)
  const { rowCount } = await db.delete(alerts).where(and(lt(alerts.created_at, before), not(isToSend)))
  // A certificate that the web still has would be announced again without its warning.
  await db.execute(sql`
    delete from ${certificateWarnings} e
    where e.cert_expiration < ${before.toISOString()} and not ${stillHasCertificate}`)
  return rowCount ? { alerts: rowCount } : null
}
