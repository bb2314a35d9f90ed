import { randomBytes } from 'node:crypto'
import { openDatabase } from '@kustos/database/client'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
await createUser(database, 'staff@kustos.test', ['view webs'])
const busyDatabase = openDatabase(database.url)
afterAll(() => busyDatabase.close())
const origin = await listen({ ...database, ...busyDatabase })

// Limits do not apply to superusers.
const login = `limited_${randomBytes(6).toString('hex')}`
const { pool } = database.owner
await pool.query(`create role ${login} login password 'plain' noinherit`)
await pool.query(`grant kustos_application to ${login} with inherit false, set true`)
afterAll(() => pool.query(`drop role ${login}`))
const limitedUrl = new URL(database.url)
const { pathname } = limitedUrl
limitedUrl.username = login
limitedUrl.password = 'plain'
const limited = openDatabase(limitedUrl.href)
afterAll(() => limited.close())
const limitedOrigin = await listen({ ...database, ...limited })

async function expectBusy(staff: ApiClient) {
  const response = await staff.fetch('/api/webs/1')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.json()).toEqual({
    message: 'The database is busy. Nothing was changed. Try again in a moment.',
    code: 'database_busy',
  })
}

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
    await expectBusy(staff)
  } finally {
    await other.query('rollback')
    other.release()
  }
  expect((await staff.fetch('/api/webs/1')).status).toBe(404)
})

describe('without a free connection', () => {
  it('responds that the database is busy if all connections of the pool are in use', async () => {
    const staff = await signIn(origin, 'staff@kustos.test')
    const clients = await Promise.all(Array.from({ length: 10 }, () => busyDatabase.pool.connect()))
    const [ready] = await Promise.all([staff.fetch('/api/ready'), expectBusy(staff)]).finally(() => {
      for (const client of clients) client.release()
    })
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ code: 'database_busy' })
    expect((await staff.fetch('/api/webs/1')).status).toBe(404)
  }, 20_000)

  it.each([
    ['the login', 'role', login],
    ['the database', 'database', pathname.slice(1)],
  ])('responds that the database is busy if %s has reached its limit', async (_, kind, name) => {
    const staff = await signIn(limitedOrigin, 'staff@kustos.test')
    const clients = await Promise.all(Array.from({ length: 2 }, () => limited.pool.connect()))
    await pool.query(`alter ${kind} ${name} connection limit 1`)
    try {
      await expectBusy(staff)
    } finally {
      for (const client of clients) client.release()
      await pool.query(`alter ${kind} ${name} connection limit -1`)
    }
    expect((await staff.fetch('/api/webs/1')).status).toBe(404)
  })
})
