import { leases, sessions, signInLimits, users } from '@kustos/database/tables'
import { testDatabase, testRedis } from '@kustos/database/testing'
import { eq, inArray, sql } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { authTasks } from '../src/jobs/auth.ts'
import { leaseTasks } from '../src/jobs/leases.ts'
import type { PeriodicTask } from '../src/periodic-tasks.ts'
import { startTasks } from './start-tasks.ts'

const database = await testDatabase()
const redis = await testRedis()

const [user] = await database.db
  .insert(users)
  .values({ email: 'someone@kustos.test', name: 'Someone', password_hash: 'none' })
  .returning()

test('removes only expired sessions and counters of sign-ins', async () => {
  if (!user) throw new Error('The user was not created')
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
  const session = (id: string, expires: Date) => ({
    id,
    user_id: user.id,
    remembered: false,
    data: {},
    created_at: at(-100),
    last_seen_at: at(-100),
    expires_at: expires,
  })
  await database.db.insert(sessions).values([session('expired', at(-1)), session('active', at(60))])
  await database.db.insert(signInLimits).values([
    { key: '192.0.2.1', points: 1, expire: at(-1).getTime() },
    { key: '192.0.2.2', points: 1, expire: at(60).getTime() },
  ])

  await startTasks(database, authTasks)

  await vi.waitFor(async () => {
    expect(await database.db.select({ id: sessions.id }).from(sessions)).toEqual([{ id: 'active' }])
    expect(await database.db.select({ key: signInLimits.key }).from(signInLimits)).toEqual([
      { key: '192.0.2.2' },
    ])
  }, 10_000)
})

test('removes leases that nobody could release, as when Postgres was killed with their worker', async () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)
  await database.db.insert(leases).values([
    { name: 'abandoned', holder: 'killed', expires_at: inSeconds(-100_000) },
    { name: 'expired', holder: 'frozen', expires_at: inSeconds(-60) },
    { name: 'held', holder: 'alive', expires_at: inSeconds(600) },
  ])
  onTestFinished(async () => void (await database.db.delete(leases)))
  await startTasks(database, leaseTasks)
  const abandoned = database.db.select().from(leases).where(eq(leases.name, 'abandoned'))
  await vi.waitFor(async () => expect(await abandoned).toEqual([]), 10_000)
  const kept = await database.db
    .select({ name: leases.name })
    .from(leases)
    .where(inArray(leases.name, ['expired', 'held']))
  expect(kept.map(({ name }) => name).toSorted()).toEqual(['expired', 'held'])
})

/** How long the job of a task stays locked if nobody renews its lock. */
type ReadLockMs = (task: string) => Promise<number>

const readLockInPostgres: ReadLockMs = async (task) => {
  const { rows } = await database.owner.pool.query<{ until: string }>(
    'select locked_until_ms as until from bullmq.job where id like $1 and locked_until_ms is not null',
    [`repeat:${task}:%`],
  )
  return Number(rows[0]?.until) - Date.now()
}

const readLockInRedis =
  (url: string): ReadLockMs =>
  async (task) => {
    const client = new Redis(url)
    try {
      const [key = ''] = await client.keys(`*repeat:${task}:*:lock`)
      return await client.pttl(key)
    } finally {
      client.disconnect()
    }
  }

const backends = [
  { name: 'Postgres', options: {}, readLockMs: readLockInPostgres },
  ...(redis
    ? [{ name: 'Redis', options: { redisUrl: redis.url }, readLockMs: readLockInRedis(redis.url) }]
    : []),
]

describe.each(backends)('a periodic task with jobs in $name', ({ options, readLockMs }) => {
  let runs: number[]
  beforeEach(() => {
    runs = []
  })
  const count: PeriodicTask['run'] = async () => {
    runs.push(Date.now())
    return null
  }
  const countingTask = (name: string, everyMs: number): PeriodicTask => ({ name, everyMs, run: count })

  test('runs once per period, on either of two workers', async () => {
    const everyMs = 500
    const startedAt = Date.now()
    const workers = await Promise.all([
      startTasks(database, [countingTask('shared', everyMs)], options),
      startTasks(database, [countingTask('shared', everyMs)], options),
    ])
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(5), 20_000)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(runs.length).toBeLessThanOrEqual((Date.now() - startedAt) / everyMs + 1)
    expect(await database.db.select().from(leases)).toEqual([])
  })

  test('does not run again when another worker starts', async () => {
    await startTasks(database, [countingTask('hourly', 3_600_000)], options)
    await vi.waitFor(() => expect(runs).toHaveLength(1), 10_000)
    await startTasks(database, [countingTask('hourly', 3_600_000)], options)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(runs).toHaveLength(1)
  })

  test('continues after the clock was set back by an hour', async () => {
    const task = countingTask('clocked', 500)
    const now = Date.now.bind(Date)
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000)
    onTestFinished(() => clock.mockRestore())
    const ahead = await startTasks(database, [task], options)
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(0), 10_000)
    await ahead.stop()
    clock.mockRestore()
    runs = []
    await startTasks(database, [task], options)
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(2), 10_000)
  })

  test('is no longer scheduled after a worker starts without it', async () => {
    const stale = countingTask('stale', 50)
    const before = await startTasks(database, [stale], options)
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(0), 10_000)
    await before.stop()
    await startTasks(database, [], { known: [stale], ...options })
    // A job that was already due is still run.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    runs = []
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(runs).toEqual([])
  })

  test('is retried if it fails', async () => {
    const failing: PeriodicTask = {
      name: 'failing',
      everyMs: 3_600_000,
      run: async () => {
        runs.push(Date.now())
        if (runs.length < 3) throw new Error('Postgres is away')
        return {}
      },
    }
    await startTasks(database, [failing], { retryAfterMs: 5, ...options })
    await vi.waitFor(() => expect(runs).toHaveLength(3), 10_000)
  })

  test('runs again in its next period, and not soon, if another transaction had a lock that it needs', async () => {
    const backup = await database.owner.pool.connect()
    onTestFinished(() => backup.release(true))
    await backup.query('begin')
    await backup.query('lock table roles in access share mode')
    const locking: PeriodicTask = {
      name: 'locking',
      everyMs: 3_600_000,
      run: async ({ db }) => {
        runs.push(Date.now())
        return db.transaction(async (tx) => {
          await tx.execute(sql`set local lock_timeout = '10ms'`)
          await tx.execute(sql`lock table roles in access exclusive mode`)
          return {}
        })
      },
    }
    const worker = await startTasks(database, [locking], { retryAfterMs: 5, ...options })
    await vi.waitFor(() => expect(runs).toHaveLength(1), 10_000)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await worker.stop()
    expect(runs).toHaveLength(1)
  })

  test('is locked for longer than its lease, so that the run of a dead worker is not taken for one that goes on', async () => {
    const marginsMs: number[] = []
    const long: PeriodicTask = {
      name: 'long',
      everyMs: 3_600_000,
      run: async ({ database: { pool } }) => {
        const until = Date.now() + 8_000
        while (Date.now() < until) {
          const lockMs = await readLockMs('long')
          const { rows } = await pool.query<{ ms: string }>(
            "select extract(epoch from expires_at - clock_timestamp()) * 1000 as ms from leases where name = 'task long'",
          )
          marginsMs.push(lockMs - Number(rows[0]?.ms))
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        return null
      },
    }
    const worker = await startTasks(database, [long], options)
    await vi.waitFor(() => expect(marginsMs.length).toBeGreaterThan(50), 20_000)
    await worker.stop()
    // A busy machine renews one of them late.
    expect(marginsMs.filter((ms) => ms <= 0).length / marginsMs.length).toBeLessThan(0.1)
  }, 30_000)

  test('is retried by one job only while it fails for longer than a period', async () => {
    const everyMs = 1_000
    const retryAfterMs = 200
    const failing: PeriodicTask = {
      name: 'failing-for-long',
      everyMs,
      run: async () => {
        runs.push(Date.now())
        throw new Error('The disk is full')
      },
    }
    const startedAt = Date.now()
    const worker = await startTasks(database, [failing], { retryAfterMs, ...options })
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await worker.stop()
    expect(runs.length).toBeGreaterThan(10)
    // The job of a period makes the first attempt of its own.
    const elapsedMs = Date.now() - startedAt
    expect(runs.length).toBeLessThanOrEqual(elapsedMs / retryAfterMs + elapsedMs / everyMs + 1)
  })

  test('never runs concurrently, and stopping waits for the current run', async () => {
    let running = 0
    let maxRunning = 0
    let finished = 0
    const slow: PeriodicTask = {
      name: 'slow',
      everyMs: 50,
      run: async (context) => {
        maxRunning = Math.max(maxRunning, ++running)
        await context.database.pool.query('select pg_sleep(0.3)')
        running--
        finished++
        return {}
      },
    }
    const workers = await Promise.all([
      startTasks(database, [slow], options),
      startTasks(database, [slow], options),
    ])
    await vi.waitFor(() => expect(finished).toBeGreaterThan(1), 10_000)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect({ maxRunning, running }).toEqual({ maxRunning: 1, running: 0 })
  })
})
