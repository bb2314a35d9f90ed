import { sessions, signInAttempts, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { authDuties } from '../src/jobs/auth.ts'
import { type Duty, startWorker } from '../src/worker.ts'

const database = await testDatabase()
const log = pino({ level: 'silent' })

function work(duties: readonly Duty[], retryAfter?: number) {
  const worker = startWorker({ database, duties, log, ...(retryAfter === undefined ? {} : { retryAfter }) })
  onTestFinished(() => worker.stop())
  return worker
}

const [user] = await database.db
  .insert(users)
  .values({ email: 'someone@kustos.test', name: 'Someone', password_hash: 'none' })
  .returning()

test('expired sessions and old sign-in attempts are removed, the others stay', async () => {
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
  await database.db.insert(sessions).values([session('expired', at(-1)), session('living', at(60))])
  const attempt = { email: 'someone@kustos.test', address: '192.0.2.1' }
  await database.db.insert(signInAttempts).values([
    { ...attempt, attempted_at: at(-7200) },
    { ...attempt, attempted_at: at(-10) },
  ])

  work(authDuties)

  await vi.waitFor(async () => {
    expect(await database.db.select({ id: sessions.id }).from(sessions)).toEqual([{ id: 'living' }])
    expect(await database.db.select().from(signInAttempts)).toHaveLength(1)
  })
})

test('a duty that fails is tried again, and the worker goes on', async () => {
  let runs = 0
  const duty: Duty = {
    name: 'fails at first',
    every: 10_000,
    run: async () => {
      runs++
      if (runs < 3) throw new Error('Postgres is away')
      return {}
    },
  }
  work([duty], 5)
  await vi.waitFor(() => expect(runs).toBe(3))
})

test('a duty never runs twice at a time, and stopping waits for the run under way', async () => {
  let running = 0
  let most = 0
  let finished = 0
  const duty: Duty = {
    name: 'takes longer than its schedule',
    every: 1,
    run: async (context) => {
      most = Math.max(most, ++running)
      await context.database.pool.query('select pg_sleep(0.05)')
      running--
      finished++
      return {}
    },
  }
  const worker = work([duty])
  await vi.waitFor(() => expect(finished).toBeGreaterThan(1))
  await worker.stop()
  expect({ most, running }).toEqual({ most: 1, running: 0 })
})
