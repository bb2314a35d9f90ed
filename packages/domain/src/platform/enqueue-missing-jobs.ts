import type { NewJob, Queues } from '@kustos/clients/queue'

/**
 * Enqueues those jobs that the queue does not have.
 * @param options promote lets delayed ones start now, since the clock by which their delay ends may have been set back
 * @returns null if it has all of them
 */
export async function enqueueMissingJobs(
  queues: Pick<Queues, 'add' | 'hasPendingJob' | 'promote'>,
  jobs: readonly NewJob[],
  { promote = false } = {},
): Promise<{ readonly enqueued: number } | null> {
  let enqueued = 0
  for (const job of jobs) {
    if (await queues.hasPendingJob(job.queue, job.id)) {
      if (promote) await queues.promote(job.queue, job.id)
      continue
    }
    await queues.add(job)
    enqueued += 1
  }
  return enqueued === 0 ? null : { enqueued }
}
