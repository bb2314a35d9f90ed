import { signInLimits } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { returnAttempt, takeAttempt } from '../src/auth/attempts.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()
const context = createContext(database)
const visitor = { email: 'anna@kustos.test', network: '192.0.2.1', knownDevice: 'device' }

test('an attempt that is returned after its period allows no further one in the next', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const early = await Promise.all(Array.from({ length: 5 }, () => takeAttempt(context, visitor)))
  vi.setSystemTime(Date.now() + 60_000)
  await takeAttempt(context, visitor)
  for (const attempt of early) if (attempt.isAllowed) await returnAttempt(context, attempt.counters)
  const points = async () =>
    Object.fromEntries((await database.db.select().from(signInLimits)).map((row) => [row.key, row.points]))
  expect(await points()).toEqual({ 'anna@kustos.test device briefly': 1, 'anna@kustos.test device': 1 })
  for (let time = 0; time < 4; time++) await takeAttempt(context, visitor)
  expect(await takeAttempt(context, visitor)).toMatchObject({ isAllowed: false, retryAfterSeconds: 60 })
  expect(await points()).toEqual({ 'anna@kustos.test device briefly': 5, 'anna@kustos.test device': 5 })
})
