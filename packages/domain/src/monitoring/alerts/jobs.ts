import { id } from '@kustos/contract/text'
import { z } from 'zod'
import { createJob, defineJob } from '../../platform/jobs.ts'
import type { AlertTools } from './tools.ts'

/** Sends one alert. */
export const sendAlertJob = defineJob({
  queue: 'notification',
  name: 'sendAlert',
  payload: z.object({ alert: id }),
})

export const jobIdOf = (alert: number) => `alert-${alert}`

const alertJob = (alert: number) => createJob(sendAlertJob, jobIdOf(alert), { alert })

/**
 * Hands over the jobs of alerts that have just been committed. Where that cannot be done now, the sweeper does it: the
 * rows are what counts.
 */
export async function enqueueAlerts(
  { queues, onError }: Pick<AlertTools, 'queues' | 'onError'>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await queues.addAll(sendAlertJob.queue, ids.map(alertJob)).catch(onError)
}

/** @returns whether it had none */
export async function enqueueIfMissing(
  { queues }: Pick<AlertTools, 'queues'>,
  alert: number,
): Promise<boolean> {
  if (await queues.hasPendingJob(sendAlertJob.queue, jobIdOf(alert))) return false
  await queues.add(alertJob(alert))
  return true
}
