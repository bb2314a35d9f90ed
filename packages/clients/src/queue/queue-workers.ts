import { DelayedError, type Job, UnrecoverableError } from 'bullmq'
import { openBackend, type QueueSettings, waitUntilReady } from './backend.ts'

/** A job is done, has failed permanently, or is retried later. */
export type JobOutcome = 'done' | { readonly failed: string } | { readonly retryInMs: number }

interface TakenJob {
  readonly name: string
  readonly id: string
  readonly data: unknown
  /** When it could first start. Retries do not change it. */
  readonly dueAt: Date
}

export interface QueueWork {
  readonly queue: string
  /** In this process. */
  readonly concurrency: number
  /**
   * @param signal aborted when the process stops; an unfinished job then returns `retryInMs`
   */
  run(job: TakenJob, signal: AbortSignal): Promise<JobOutcome>
}

export type QueueWorkers = Awaited<ReturnType<typeof startQueueWorkers>>

/** A dead worker's jobs are recovered within the sum of both. */
const lockDurationMs = 10_000
const stalledIntervalMs = 5_000
/**
 * Keeps the lock longer than the lease of what a job does (8 s): otherwise the job of a dead worker could start again before that
 * lease has expired, and a periodic task would then skip its period.
 */
const lockRenewalMs = 1_500
/** A stopping worker would take its own jobs again if they were due at once. */
const stopRetryDelayMs = 1_000

/** @throws if the queues are in Postgres and it is unavailable */
export async function startQueueWorkers(settings: QueueSettings, work: readonly QueueWork[]) {
  const backend = await openBackend(settings)
  const stopping = new AbortController()
  const workers = work.map(({ queue, concurrency, run }) => {
    const worker = new backend.Worker<unknown, void>(
      queue,
      async (job: Job, token) => {
        const outcome = await run(toTakenJob(job), stopping.signal)
        if (outcome === 'done') return
        if ('failed' in outcome) throw new UnrecoverableError(outcome.failed)
        const delay = stopping.signal.aborted
          ? Math.max(outcome.retryInMs, stopRetryDelayMs)
          : outcome.retryInMs
        await job.moveToDelayed(Date.now() + delay, token)
        throw new DelayedError()
      },
      {
        connection: backend.createWorkerConnection(),
        ...backend.keysOf(queue),
        // Without its connection it would poll for jobs in a busy loop.
        autorun: !backend.connectsOnce,
        concurrency,
        lockDuration: lockDurationMs,
        lockRenewTime: lockRenewalMs,
        stalledInterval: stalledIntervalMs,
        // Jobs are idempotent, so they may be restarted as often as their workers die.
        maxStalledCount: 1_000_000,
      },
    )
    worker.on('error', settings.onError)
    return worker
  })
  /** Takes no more jobs, aborts the running ones, and waits for them. */
  const stop = async (): Promise<void> => {
    const closed = workers.map((worker) => worker.close())
    stopping.abort()
    await Promise.all(closed)
    await backend.close()
  }
  if (backend.connectsOnce) {
    await waitUntilReady(workers).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    for (const worker of workers) worker.run().catch(settings.onError)
  }
  return { stop }
}

const toTakenJob = ({ name, id = '', data, timestamp, opts: { delay = 0 } }: Job): TakenJob => ({
  name,
  id,
  data,
  dueAt: new Date(timestamp + delay),
})
