import { type ChannelKind, channelKinds } from '@kustos/contract/alert-channels'
import { Gauge, Histogram, type Registry } from 'prom-client'

/**
 * How a run of a job ended: done, failed for good, to be retried later, prevented by a database that is down, full or busy,
 * or by an unexpected error.
 */
const jobOutcomes = ['done', 'failed', 'retried', 'database_unavailable', 'error'] as const
export type JobOutcome = (typeof jobOutcomes)[number]

export type Meter = ReturnType<typeof openMeter>

/** From a deployment that has to wait to one that copies a large web. */
const bucketsSeconds = [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

/**
 * Measures what a worker does. Every count begins at 0, because Prometheus sees no increase in one that begins at 1.
 * @param queues the queues of this worker
 * @param taskNames its periodic tasks
 */
export function openMeter(registry: Registry, queues: readonly string[], taskNames: readonly string[]) {
  const jobs = new Histogram({
    name: 'kustos_job_duration_seconds',
    help: 'Runs of jobs in this process by queue and outcome (done, failed, retried, database_unavailable, error: an unexpected error)',
    labelNames: ['queue', 'outcome'],
    buckets: bucketsSeconds,
    registers: [registry],
  })
  const running = new Gauge({
    name: 'kustos_jobs_running',
    help: 'Jobs under way in this process',
    labelNames: ['queue'],
    registers: [registry],
  })
  for (const queue of queues) {
    running.set({ queue }, 0)
    for (const outcome of jobOutcomes) jobs.zero({ queue, outcome })
  }
  const tasks = new Histogram({
    name: 'kustos_task_duration_seconds',
    help: 'Runs of periodic tasks in this process by outcome (done, failed)',
    labelNames: ['task', 'outcome'],
    buckets: bucketsSeconds,
    registers: [registry],
  })
  const alerts = new Histogram({
    name: 'kustos_alert_delivery_seconds',
    help: 'From writing an alert, as when an incident is confirmed, until its channel has accepted it, by channel',
    labelNames: ['channel'],
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
    registers: [registry],
  })
  for (const channel of channelKinds) alerts.zero({ channel })
  for (const task of taskNames) for (const outcome of ['done', 'failed']) tasks.zero({ task, outcome })
  return {
    beginJob: (queue: string): void => running.inc({ queue }),
    endJob(queue: string, outcome: JobOutcome, seconds: number): void {
      running.dec({ queue })
      jobs.observe({ queue, outcome }, seconds)
    },
    countSentAlert: (channel: ChannelKind, seconds: number): void => alerts.observe({ channel }, seconds),
    endTask: (task: string, succeeded: boolean, seconds: number): void =>
      tasks.observe({ task, outcome: succeeded ? 'done' : 'failed' }, seconds),
  }
}
