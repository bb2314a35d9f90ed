import { isLockTimeout, type OpenDatabase } from '@kustos/database/client'
import { type Context, createContext } from '@kustos/domain/platform/context'
import { DomainError, toError } from '@kustos/domain/platform/errors'
import type { QueueWork } from '@kustos/domain/platform/jobs'
import { withLease } from '@kustos/domain/platform/lease'
import { lockInTransaction } from '@kustos/domain/platform/locks'
import { logWith } from '@kustos/domain/platform/logger'
import type { WorkerServices } from '@kustos/domain/services'
import type { Logger } from 'pino'
import type { Meter } from './job-metrics.ts'

/** What periodic tasks log of their runs; docs/observability.md explains each. */
export const taskReportFields = [
  'added',
  'alerts',
  'attempts',
  'changed',
  'channels',
  'checked',
  'days',
  'deployments',
  'domains',
  'emailChanges',
  'emails',
  'ended',
  'enqueued',
  'entries',
  'escalated',
  'failed',
  'failures',
  'file',
  'head',
  'inspections',
  'leases',
  'notes',
  'occurrences',
  'opened',
  'partitions',
  'planned',
  'probes',
  'reminded',
  'removed',
  'repositories',
  'requested',
  'round',
  'seals',
  'sessions',
  'shards',
  'state',
  'summaries',
  'tests',
  'unknown',
  'updated',
  'warned',
  'webs',
] as const
type TaskReport = { readonly [Field in (typeof taskReportFields)[number]]?: unknown }

/** Work that is due again and again. One worker does it in each period, and no two at a time. */
export interface PeriodicTask {
  /** Stable over releases: it is the id of the task's job scheduler. */
  readonly name: string
  readonly everyMs: number
  /**
   * @param signal aborted when the worker stops
   * @returns what to log of the run; null where there was nothing to do
   */
  run(context: Context, signal: AbortSignal): Promise<TaskReport | null>
}

export interface PeriodicTaskOptions {
  readonly database: OpenDatabase
  readonly log: Logger
  readonly meter?: Pick<Meter, 'endTask'>
  readonly now?: () => Date
  readonly retryAfterMs?: number
}

const queue = 'periodic'

/** Job schedulers are checked this often, since a Redis that restarts may have forgotten them. */
const checkIntervalMs = 10_000

interface ScheduleOptions {
  readonly onError: (error: Error) => void
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal
}

/** Keeps a job scheduler for each task, and removes those of tasks that no longer exist. */
export async function scheduleTasks(
  tasks: readonly PeriodicTask[],
  queues: Pick<WorkerServices['deployments']['queues'], 'schedule'>,
  { db }: OpenDatabase,
  { onError, signal }: ScheduleOptions,
): Promise<void> {
  const schedules = tasks.map(({ name, everyMs }) => ({ id: name, everyMs }))
  let isStarting = true
  const schedule = async () => {
    try {
      // Workers that start at the same time would each begin a period of their own.
      await db.transaction(async (tx) => {
        await lockInTransaction(tx, 'periodic-tasks')
        await queues.schedule(queue, schedules, { reconcile: isStarting })
      })
      isStarting = false
    } catch (error) {
      onError(toError(error))
    }
  }
  await schedule()
  if (signal.aborted) return
  const timer = setInterval(() => void schedule(), checkIntervalMs)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/**
 * Returns the work of a worker when a task is due. A run that fails is logged and retried soon, until the next period begins. If a
 * lock was not free, it is not retried before that period.
 */
export function periodicWork(tasks: readonly PeriodicTask[], options: PeriodicTaskOptions): QueueWork {
  return {
    queue,
    concurrency: tasks.length,
    run({ name, dueAt }, signal) {
      const task = tasks.find((each) => each.name === name)
      // The task belongs to a worker of another release.
      if (!task) return Promise.resolve('done')
      return logWith({ task: name }, () => runTask(task, dueAt, options, signal))
    },
  }
}

/**
 * Runs a task whose failures at a service are stored by the domain. A retry within seconds would use up the service's rate
 * limit.
 */
export async function withStoredFailures<T>(task: Promise<T>): Promise<T | { readonly failed: string }> {
  try {
    return await task
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'upstream') return { failed: error.message }
    throw error
  }
}

async function runTask(
  { name: task, everyMs, run }: PeriodicTask,
  dueAt: Date,
  { database, log, meter, now, retryAfterMs = 15_000 }: PeriodicTaskOptions,
  signal: AbortSignal,
): ReturnType<QueueWork['run']> {
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  try {
    const context = createContext(database, null, now)
    const done = await withLease(context, `task ${task}`, signal, async (...leased) => ({
      outcome: await run(...leased),
    }))
    // The run of the last period is not done yet, here or in another worker.
    if (done === null) return 'done'
    meter?.endTask(task, true, elapsedMs() / 1000)
    if (done.outcome !== null)
      log.info({ task, ms: Math.round(elapsedMs()), ...done.outcome }, 'periodic task done')
    return 'done'
  } catch (error) {
    if (signal.aborted) return { retryInMs: 0 }
    meter?.endTask(task, false, elapsedMs() / 1000)
    log.warn({ task, err: error }, 'periodic task failed, will be retried')
    // The next period has a job of its own. If this one were retried beyond that, the jobs of a failing task would pile up.
    const isLastAttempt = Date.now() - dueAt.getTime() + retryAfterMs >= everyMs
    // Everybody else waits behind a task that waits for a table, so it does not wait again and again while a backup has the table.
    return isLastAttempt || isLockTimeout(error) ? 'done' : { retryInMs: retryAfterMs }
  }
}
