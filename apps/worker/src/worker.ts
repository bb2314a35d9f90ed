import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDatabase } from '@kustos/database/client'
import { type Context, contextOf } from '@kustos/domain/context'
import { logWith } from '@kustos/domain/log'
import type { Logger } from 'pino'
import type { Meter } from './meter.ts'

/** Something the worker does again and again. Other workers may do it at the same time. */
export interface Duty {
  readonly name: string
  /** Milliseconds from the end of one run to the start of the next. */
  readonly every: number
  /**
   * @param signal aborted when the worker stops
   * @returns what the log shall say of the run; null where there was nothing to do
   */
  run(context: Context, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | null>
}

export interface WorkerOptions {
  readonly database: OpenDatabase
  readonly duties: readonly Duty[]
  readonly log: Logger
  readonly meter?: Pick<Meter, 'endDuty'>
  readonly now?: () => Date
  /** Milliseconds until a failed run is tried again. */
  readonly retryAfter?: number
}

export interface Worker {
  /** Starts nothing more and waits for the runs under way. */
  stop(): Promise<void>
}

/**
 * Runs each duty at once and then on its schedule, never twice at a time. A run that fails, such as while Postgres
 * restarts, is logged and tried again soon.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { database, duties, now, retryAfter = 15_000 } = options
  const stopped = new AbortController()
  const work = async (duty: Duty) => {
    while (!stopped.signal.aborted) {
      const succeeded = await runOnce(duty, contextOf(database, null, now), options, stopped.signal)
      const rest = succeeded ? duty.every : Math.min(duty.every, retryAfter)
      // Rejects when the worker stops, which the loop's condition then sees.
      await sleep(rest, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }
  const working = Promise.all(duties.map(work))
  return {
    async stop() {
      stopped.abort()
      await working
    },
  }
}

async function runOnce(
  duty: Duty,
  context: Context,
  { log, meter }: Pick<WorkerOptions, 'log' | 'meter'>,
  signal: AbortSignal,
): Promise<boolean> {
  const started = performance.now()
  const passed = () => performance.now() - started
  try {
    const outcome = await logWith({ duty: duty.name }, () => duty.run(context, signal))
    meter?.endDuty(duty.name, true, passed() / 1000)
    if (outcome !== null) log.info({ duty: duty.name, ms: Math.round(passed()), ...outcome }, 'duty done')
    return true
  } catch (error) {
    if (signal.aborted) return false
    meter?.endDuty(duty.name, false, passed() / 1000)
    log.warn({ duty: duty.name, err: error }, 'duty failed, will be tried again')
    return false
  }
}
