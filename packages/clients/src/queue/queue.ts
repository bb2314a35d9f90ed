import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as BullJob, IQueueBackend, Queue } from 'bullmq'
import { allReady, openBackend, type QueueSettings } from './backend.ts'

export interface NewJob {
  readonly queue: string
  readonly name: string
  /** One job of an id at a time in its queue; not a number, and without colons. */
  readonly id: string
  readonly data: object
  /** Milliseconds until it may begin. */
  readonly delay?: number
  /** How many of the completed jobs in its queue are kept when it is; 1,000 unless told otherwise. */
  readonly keep?: number
  /** Whether there was none of this id before, which spares the look for one that is done. */
  readonly isFirst?: boolean
}

export const jobStates = ['waiting', 'delayed', 'active', 'failed', 'completed'] as const

export interface Job {
  readonly queue: string
  readonly id: string
  readonly name: string
  readonly data: unknown
  /** How often it was begun. */
  readonly attempts: number
  readonly state: (typeof jobStates)[number]
  readonly failedReason: string | null
  readonly createdAt: Date
}

/** How many jobs of a queue are in a state. */
export interface JobCount {
  readonly queue: string
  readonly state: Exclude<Job['state'], 'completed'>
  readonly count: number
}

/** Adds jobs and tells of them. Each call rejects where the other side is away. */
export interface Queues {
  /** Adds a job, unless one of its id is still to be done; one that is done makes room. */
  add(job: NewJob): Promise<void>
  /** Adds jobs of one queue at once; one whose id is known there, even if it is done, is left alone. */
  addAll(queue: string, jobs: readonly NewJob[]): Promise<void>
  /** Lets a delayed job begin now. Nothing happens where there is none. */
  hurry(queue: string, id: string): Promise<void>
  /** Whether a job of this id waits, is delayed or active. */
  holds(queue: string, id: string): Promise<boolean>
  /** Takes a job out that has not begun. */
  remove(queue: string, id: string): Promise<void>
  /** Jobs of all queues: those not yet done, the failed, and the last 1,000 completed. */
  list(): Promise<readonly Job[]>
  /** Without reading any job: one question for each queue. */
  count(): Promise<readonly JobCount[]>
  close(): Promise<void>
}

const counted = ['waiting', 'delayed', 'active', 'failed'] as const
const listed = { undone: 5_000, done: 1_000 }
const optionsOf = ({ id, delay = 0, keep = 1_000 }: NewJob) => ({
  jobId: id,
  delay,
  removeOnComplete: { count: keep },
  removeOnFail: { count: 1_000 },
})

type AnyQueue = Queue<object, unknown, string, object, unknown, string, IQueueBackend>

/** @throws where the jobs are in Postgres, and that is away */
export async function openQueues(settings: QueueSettings, names: readonly string[]): Promise<Queues> {
  const backend = await openBackend(settings)
  const queues = new Map<string, AnyQueue>()
  for (const name of names) {
    const queue: AnyQueue = new backend.Queue<object, unknown>(name, { connection: backend.asking })
    queue.on('error', settings.onError)
    queues.set(name, queue)
  }
  const close = async () => {
    await Promise.all([...queues.values()].map((queue) => queue.close()))
    await backend.close()
  }
  if (backend.isTriedOnce)
    await allReady([...queues.values()]).catch(async (error: unknown) => {
      await close()
      throw error
    })
  const of = (name: string) => {
    const queue = queues.get(name)
    if (!queue) throw new Error(`There is no queue ${name}`)
    return queue
  }
  const open: Queues = {
    async add(job) {
      const queue = of(job.queue)
      const known = job.isFirst ? undefined : await queue.getJob(job.id)
      if (known) {
        const state = await known.getState()
        if (state !== 'completed' && state !== 'failed' && state !== 'unknown') return
        await known.remove()
      }
      await queue.add(job.name, job.data, optionsOf(job))
    },
    async addAll(name, jobs) {
      await of(name).addBulk(jobs.map((job) => ({ name: job.name, data: job.data, opts: optionsOf(job) })))
    },
    async hurry(name, id) {
      const job = await of(name).getJob(id)
      if (job && (await job.isDelayed())) await job.promote()
    },
    async holds(name, id) {
      const state = await of(name).getJobState(id)
      return state !== 'completed' && state !== 'failed' && state !== 'unknown'
    },
    async remove(name, id) {
      await of(name).remove(id)
    },
    async list() {
      const lists = await Promise.all(
        [...queues].flatMap(([name, queue]) =>
          jobStates.map(async (state) => {
            const end = (state === 'completed' ? listed.done : listed.undone) - 1
            const jobs = await queue.getJobs([state], 0, end)
            return jobs.filter((job) => job !== undefined).map((job) => present(name, state, job))
          }),
        ),
      )
      return lists.flat()
    },
    async count() {
      const counts = await Promise.all(
        [...queues].map(async ([name, queue]) => {
          const found = await queue.getJobCounts(...counted)
          return counted.map((state) => ({ queue: name, state, count: found[state] ?? 0 }))
        }),
      )
      return counts.flat()
    },
    close,
  }
  return settings.redisUrl ? withPatience(open) : open
}

/** In milliseconds. */
const patience = 5_000

/** While Redis has never answered BullMQ waits for it, however long that takes; those who ask are not to wait with it. */
function withPatience(open: Queues): Queues {
  const soon = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      sleep(patience, undefined, { ref: false }).then((): T => {
        throw new Error('Command timed out')
      }),
    ])
  return {
    add: (job) => soon(open.add(job)),
    addAll: (name, jobs) => soon(open.addAll(name, jobs)),
    hurry: (name, id) => soon(open.hurry(name, id)),
    holds: (name, id) => soon(open.holds(name, id)),
    remove: (name, id) => soon(open.remove(name, id)),
    list: () => soon(open.list()),
    count: () => soon(open.count()),
    close: open.close,
  }
}

const present = (queue: string, state: Job['state'], job: BullJob): Job => ({
  queue,
  id: job.id ?? '',
  name: job.name,
  data: job.data,
  attempts: job.attemptsStarted,
  state,
  failedReason: job.failedReason ?? null,
  createdAt: new Date(job.timestamp),
})
