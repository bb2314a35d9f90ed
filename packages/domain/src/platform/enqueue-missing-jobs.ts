import type { NewJob, Queues } from '@kustos/clients/queue'

/** Enqueues those jobs that the queue does not have. @returns null if it has all of them */
export async function enqueueMissingJobs(
  queues: Pick<Queues, 'add' | 'hasPendingJob'>,
  jobs: readonly NewJob[],
): Promise<{ readonly enqueued: number } | null> {
  let enqueued = 0
  for (const job of jobs) {
    if (await queues.hasPendingJob(job.queue, job.id)) continue
    await queues.add(job)
    enqueued += 1
  }
  return enqueued === 0 ? null : { enqueued }
}
