import { openDatabase } from '@kustos/database/client'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, expect, it } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
await createUser(database, 'staff@kustos.test', ['view webs'])
const busyDatabase = openDatabase(database.url)
afterAll(() => busyDatabase.close())
const origin = await listen({ ...database, ...busyDatabase })

it.each([
  ['a lock is not available in time', "set lock_timeout = '100ms'"],
  ['a statement takes too long', "set statement_timeout = '200ms'"],
])('responds with 503 and Retry-After if %s', async (_, setting) => {
  const staff = await signIn(origin, 'staff@kustos.test')
  // All connections of the pool, so that each gets the setting.
  const clients = await Promise.all(Array.from({ length: 10 }, () => busyDatabase.pool.connect()))
  for (const client of clients) await client.query(setting).finally(() => client.release())
  const other = await database.owner.pool.connect()
  try {
    await other.query('begin')
    await other.query('lock table webs in access exclusive mode')
    const response = await staff.fetch('/api/webs/1')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toEqual({
      message: 'The database is busy. Nothing was changed. Try again in a moment.',
      code: 'database_busy',
    })
  } finally {
    await other.query('rollback')
    other.release()
  }
  expect((await staff.fetch('/api/webs/1')).status).toBe(404)
})
