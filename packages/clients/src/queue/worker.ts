import { DelayedError, type Job, UnrecoverableError } from 'bullmq'
import { allReady, openBackend, type QueueSettings } from './backend.ts'

/** What became of a run: it is over, it failed for good, or the job comes again after some milliseconds. */
export type Run = 'over' | { readonly failed: string } | { readonly again: number }

export interface QueueWork {
  readonly queue: string
  /** Jobs at a time in this process. */
  readonly concurrency: number
  /**
   * @param signal aborted when the process stops; the run then ends soon, and hands back what is not done by `again`
   */
  run(
    job: { readonly name: string; readonly id: string; readonly data: unknown },
    signal: AbortSignal,
  ): Promise<Run>
}

export interface QueueWorkers {
  /** Takes no more jobs, asks those under way to end, and waits for them. */
  stop(): Promise<void>
}

/** A worker that died is noticed after the end of its lock, at the next look: within 15 s. In milliseconds. */
const lock = { duration: 10_000, look: 5_000 }

/** A worker that stops still takes what is due at once: what it hands back is due a moment later. In milliseconds. */
const handBack = 1_000

/** @throws where the jobs are in Postgres, and that is away */
export async function startQueueWorkers(
  settings: QueueSettings,
  work: readonly QueueWork[],
): Promise<QueueWorkers> {
  const backend = await openBackend(settings)
  const stopping = new AbortController()
  const workers = work.map(({ queue, concurrency, run }) => {
    const worker = new backend.Worker<unknown, void>(
      queue,
      async (job: Job, token) => {
        const outcome = await run({ name: job.name, id: job.id ?? '', data: job.data }, stopping.signal)
        if (outcome === 'over') return
        if ('failed' in outcome) throw new UnrecoverableError(outcome.failed)
        const delay = stopping.signal.aborted ? Math.max(outcome.again, handBack) : outcome.again
        await job.moveToDelayed(Date.now() + delay, token)
        throw new DelayedError()
      },
      {
        connection: backend.working(),
        // Begun without its connection it would ask for jobs again and again, and let nothing else happen.
        autorun: !backend.isTriedOnce,
        concurrency,
        lockDuration: lock.duration,
        stalledInterval: lock.look,
        // Jobs of ours can be begun again as often as their workers die: what is done already they know themselves.
        maxStalledCount: 1_000_000,
      },
    )
    worker.on('error', settings.onError)
    return worker
  })
  const stop = async () => {
    const closed = workers.map((worker) => worker.close())
    stopping.abort()
    await Promise.all(closed)
    await backend.close()
  }
  if (backend.isTriedOnce) {
    await allReady(workers).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    for (const worker of workers) worker.run().catch(settings.onError)
  }
  return { stop }
}
