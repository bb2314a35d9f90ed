import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as BullJob, IQueueBackend, Queue } from 'bullmq'
import { openBackend, type QueueSettings, waitUntilReady } from './backend.ts'

export interface NewJob {
  readonly queue: string
  readonly name: string
  /** Unique in its queue; not a number, and without colons. */
  readonly id: string
  readonly data: object
  readonly delayMs?: number
  /** How many completed jobs its queue keeps when it completes; 1,000 by default. */
  readonly keepCompleted?: number
  /** Whether the id was never used before, so that no job with it has to be looked up. */
  readonly isNewId?: boolean
  /** Whether somebody waits for it, so that it is taken before those that wait already. */
  readonly isUrgent?: boolean
}

export const jobStates = ['waiting', 'delayed', 'active', 'failed', 'completed'] as const

export interface Job {
  readonly queue: string
  readonly id: string
  readonly name: string
  readonly data: unknown
  readonly attempts: number
  readonly state: (typeof jobStates)[number]
  readonly failedReason: string | null
  readonly createdAt: Date
}

export interface JobCount {
  readonly queue: string
  readonly state: Exclude<Job['state'], 'completed'>
  readonly count: number
}

/** A job that is added once in each period. */
export interface Schedule {
  readonly id: string
  readonly everyMs: number
}

/** Each call rejects while the backend is unavailable. */
export interface Queues {
  /** Adds a job unless one with its id is pending; a finished one is replaced. */
  add(job: NewJob): Promise<void>
  /** Adds jobs to a queue except those whose ids exist there, even if finished. */
  addAll(queue: string, jobs: readonly NewJob[]): Promise<void>
  /** Lets a delayed job start now, if there is one. */
  promote(queue: string, id: string): Promise<void>
  hasPendingJob(queue: string, id: string): Promise<boolean>
  /** Removes a job that has not started. */
  remove(queue: string, id: string): Promise<void>
  /**
   * Adds the missing job schedulers of a queue; the first job of a new one is due at once.
   * @param options reconcile also removes other schedulers and replaces those with another period
   */
  schedule(
    queue: string,
    schedules: readonly Schedule[],
    options: { readonly reconcile: boolean },
  ): Promise<void>
  /** Lists the jobs of all queues, of the completed ones the last 1,000. */
  list(): Promise<readonly Job[]>
  count(): Promise<readonly JobCount[]>
  close(): Promise<void>
}

const countedStates = ['waiting', 'delayed', 'active', 'failed'] as const
/** The next job of a scheduler that is late by this much was lost, or early by this much, the clock was set back since. */
const clockToleranceMs = 60_000
const maxPendingListed = 5_000
const maxCompletedListed = 1_000
const jobOptions = ({ id, delayMs: delay = 0, keepCompleted = 1_000, isUrgent = false }: NewJob) => ({
  jobId: id,
  delay,
  lifo: isUrgent,
  removeOnComplete: { count: keepCompleted },
  removeOnFail: { count: 1_000 },
})

type AnyQueue = Queue<object, unknown, string, object, unknown, string, IQueueBackend>

/** @throws if the queues are in Postgres and it is unavailable */
export async function openQueues(settings: QueueSettings, names: readonly string[]): Promise<Queues> {
  const backend = await openBackend(settings)
  const openQueue = (name: string): AnyQueue => {
    const queue: AnyQueue = new backend.Queue<object, unknown>(name, {
      connection: backend.producerConnection,
      ...backend.keysOf(name),
    })
    queue.on('error', settings.onError)
    return queue
  }
  const listedQueues = new Map(names.map((name) => [name, openQueue(name)]))
  /** Queues of periodic tasks, which `list` and `count` leave out. */
  const schedulerQueues = new Map<string, AnyQueue>()
  const close = async () => {
    await Promise.all([...listedQueues.values(), ...schedulerQueues.values()].map((queue) => queue.close()))
    await backend.close()
  }
  if (backend.connectsOnce)
    await waitUntilReady([...listedQueues.values()]).catch(async (error: unknown) => {
      await close()
      throw error
    })
  const getQueue = (name: string) => {
    const queue = listedQueues.get(name)
    if (!queue) throw new Error(`There is no queue ${name}`)
    return queue
  }
  const queues: Queues = {
    async add(job) {
      const queue = getQueue(job.queue)
      const known = job.isNewId ? undefined : await queue.getJob(job.id)
      if (known) {
        const state = await known.getState()
        if (state !== 'completed' && state !== 'failed' && state !== 'unknown') return
        await known.remove()
      }
      await queue.add(job.name, job.data, jobOptions(job))
    },
    async addAll(name, jobs) {
      await getQueue(name).addBulk(
        jobs.map((job) => ({ name: job.name, data: job.data, opts: jobOptions(job) })),
      )
    },
    async promote(name, id) {
      const job = await getQueue(name).getJob(id)
      if (!job || !(await job.isDelayed())) return
      await job.promote().catch(async (error: unknown) => {
        // It may have started meanwhile.
        if (await job.isDelayed()) throw error
      })
    },
    async hasPendingJob(name, id) {
      const state = await getQueue(name).getJobState(id)
      return state !== 'completed' && state !== 'failed' && state !== 'unknown'
    },
    async remove(name, id) {
      await getQueue(name).remove(id)
    },
    async schedule(name, schedules, { reconcile }) {
      const queue = schedulerQueues.get(name) ?? openQueue(name)
      if (backend.connectsOnce)
        await waitUntilReady([queue]).catch(async (error: unknown) => {
          await queue.close()
          throw error
        })
      schedulerQueues.set(name, queue)
      const known = new Map((await queue.getJobSchedulers()).map((scheduler) => [scheduler.key, scheduler]))
      if (reconcile)
        for (const key of known.keys())
          if (!schedules.some(({ id }) => id === key)) await queue.removeJobScheduler(key)
      for (const { id, everyMs } of schedules) {
        const scheduler = known.get(id)
        const isMisplaced = Math.abs((scheduler?.next ?? 0) - Date.now()) > everyMs + clockToleranceMs
        if (scheduler && !isMisplaced && !(reconcile && Number(scheduler.every) !== everyMs)) continue
        // Updated in place, it would skip a period.
        if (scheduler) await queue.removeJobScheduler(id)
        await queue.upsertJobScheduler(
          id,
          { every: everyMs },
          { name: id, data: {}, opts: { removeOnComplete: true, removeOnFail: true } },
        )
      }
    },
    async list() {
      const lists = await Promise.all(
        [...listedQueues].map(async ([name, queue]) => {
          const ofStates = await Promise.all(
            jobStates.map(async (state) => {
              const end = (state === 'completed' ? maxCompletedListed : maxPendingListed) - 1
              const jobs = await queue.getJobs([state], 0, end)
              return jobs.filter((job) => job !== undefined).map((job) => toJob(name, state, job))
            }),
          )
          // The states are read one by one, so a job that changes its state meanwhile may be found in both.
          return [...new Map(ofStates.flat().map((job) => [job.id, job])).values()]
        }),
      )
      return lists.flat()
    },
    async count() {
      const counts = await Promise.all(
        [...listedQueues].map(async ([name, queue]) => {
          const found = await queue.getJobCounts(...countedStates)
          return countedStates.map((state) => ({ queue: name, state, count: found[state] ?? 0 }))
        }),
      )
      return counts.flat()
    },
    close,
  }
  return settings.redisUrl ? withTimeout(queues) : queues
}

const timeoutMs = 5_000

/** BullMQ waits endlessly for a Redis that has never answered. */
function withTimeout(queues: Queues): Queues {
  const withDeadline = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      sleep(timeoutMs, undefined, { ref: false }).then((): T => {
        throw new Error('Command timed out')
      }),
    ])
  return {
    add: (job) => withDeadline(queues.add(job)),
    addAll: (name, jobs) => withDeadline(queues.addAll(name, jobs)),
    promote: (name, id) => withDeadline(queues.promote(name, id)),
    hasPendingJob: (name, id) => withDeadline(queues.hasPendingJob(name, id)),
    remove: (name, id) => withDeadline(queues.remove(name, id)),
    schedule: (name, schedules, options) => withDeadline(queues.schedule(name, schedules, options)),
    list: () => withDeadline(queues.list()),
    count: () => withDeadline(queues.count()),
    close: queues.close,
  }
}

const toJob = (queue: string, state: Job['state'], job: BullJob): Job => ({
  queue,
  id: job.id ?? '',
  name: job.name,
  data: job.data,
  attempts: job.attemptsStarted,
  state,
  failedReason: job.failedReason ?? null,
  createdAt: new Date(job.timestamp),
})
