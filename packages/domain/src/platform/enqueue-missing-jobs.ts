import type { NewJob, Queues } from '@kustos/clients/queue'

/** Enqueues those jobs that the queue does not have. @returns null if it has all of them */
export async function enqueueMissingJobs(
  queues: Pick<Queues, 'add' | 'hasPendingJob'>,
  jobs: readonly NewJob[],
): Promise<{ readonly handedOver: number } | null> {
  let handedOver = 0
  for (const job of jobs) {
    if (await queues.hasPendingJob(job.queue, job.id)) continue
    await queues.add(job)
    handedOver += 1
  }
  return handedOver === 0 ? null : { handedOver }
}
