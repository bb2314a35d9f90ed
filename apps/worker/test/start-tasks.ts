import { openQueues, startQueueWorkers } from '@kustos/clients/queue'
import type { TestDatabase } from '@kustos/database/testing'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import {
  type PeriodicTask,
  type PeriodicTaskOptions,
  periodicWork,
  scheduleTasks,
} from '../src/periodic-tasks.ts'

type Options = Partial<Pick<PeriodicTaskOptions, 'now' | 'retryAfterMs'>> & {
  readonly redisUrl?: string
  /** Tasks that the worker can run but does not schedule. */
  readonly known?: readonly PeriodicTask[]
}

/** Starts a worker that runs only these tasks. */
export async function startTasks(
  database: TestDatabase,
  tasks: readonly PeriodicTask[],
  { redisUrl, known = [], ...options }: Options = {},
) {
  const onError = () => undefined
  const settings = { databaseUrl: database.url, redisUrl, onError }
  const queues = await openQueues(settings, [])
  const log = pino({ level: 'silent' })
  const workers = await startQueueWorkers(settings, [
    periodicWork([...tasks, ...known], { database, log, ...options }),
  ])
  const stopped = new AbortController()
  await scheduleTasks(tasks, queues, database, { onError, signal: stopped.signal })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    stopped.abort()
    await workers.stop()
    await queues.close()
  }
  const worker = { stop: () => (stopping ??= stop()) }
  onTestFinished(() => worker.stop())
  return worker
}
