import { Gauge, Histogram, type Registry } from 'prom-client'

/**
 * What became of a job's run: it is over, it failed for good, it comes again later, the database was away, full or busy, or
 * Kustos itself failed at it.
 */
export type JobOutcome = 'over' | 'failed' | 'again' | 'hindered' | 'error'

/** Takes notice of what a worker does. Times in seconds. */
export interface Meter {
  beginJob(queue: string): void
  endJob(queue: string, outcome: JobOutcome, seconds: number): void
  endDuty(duty: string, succeeded: boolean, seconds: number): void
}

/** From a job that only looks whether its turn has come to a deployment that copies a large web. */
const buckets = [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

/** @param queues those that this worker takes jobs from */
export function openMeter(registry: Registry, queues: readonly string[]): Meter {
  const jobs = new Histogram({
    name: 'kustos_job_duration_seconds',
    help: 'Runs of jobs in this process by queue and outcome (over, failed, again: later, hindered: by the database, error: by a fault of ours)',
    labelNames: ['queue', 'outcome'],
    buckets,
    registers: [registry],
  })
  const running = new Gauge({
    name: 'kustos_jobs_running',
    help: 'Jobs under way in this process',
    labelNames: ['queue'],
    registers: [registry],
  })
  for (const queue of queues) running.set({ queue }, 0)
  const duties = new Histogram({
    name: 'kustos_duty_duration_seconds',
    help: 'Runs of what this process does on its own, again and again',
    labelNames: ['duty', 'outcome'],
    buckets,
    registers: [registry],
  })
  return {
    beginJob: (queue) => running.inc({ queue }),
    endJob(queue, outcome, seconds) {
      running.dec({ queue })
      jobs.observe({ queue, outcome }, seconds)
    },
    endDuty: (duty, succeeded, seconds) =>
      duties.observe({ duty, outcome: succeeded ? 'done' : 'failed' }, seconds),
  }
}
