import { startBitbucketServer } from '@kustos/clients/testing/bitbucket-server'
import { repository } from '@kustos/contract/bitbucket'
import { repositories, repositorySyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const server = await startBitbucketServer()
// Hooks run in reverse order, so the API, which may still be refreshing, closes first.
afterAll(() => server.stop())
let clockOffsetMs = 0
const now = () => new Date(Date.now() + clockOffsetMs)
const origin = await listen(database, { bitbucket: server.bitbucket, now })
const unconfigured = await listen(database, { bitbucket: null, now })
await createUser(database, 'staff@kustos.test', ['view bitbucket'])
await createUser(database, 'other@kustos.test', ['view webs', 'create webs'])
const staff = await signIn(origin, 'staff@kustos.test')

beforeEach(async () => {
  await database.owner.db.execute(sql`truncate ${repositories}, ${repositorySyncs}`)
  Object.assign(server.state, {
    repositories: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
    failure: null,
    held: null,
    listRequests: 0,
  })
})

const list = async () => {
  const response = await staff.fetch('/api/bitbucket')
  // The tests check the shape, so it stays `any`.
  return {
    status: response.status,
    stale: response.headers.get('x-kustos-stale'),
    body: JSON.parse(await response.text()),
  }
}

test('lists every repository as in the contract', async () => {
  const { status, stale, body } = await list()
  expect({ status, stale }).toEqual({ status: 200, stale: null })
  expect(z.array(repository).parse(body)).toEqual(body)
  expect(body).toMatchObject([{ name: 'one' }, { name: 'three' }, { name: 'two' }])
})

test('returns the last list with its age while Bitbucket is down', async () => {
  await list()
  server.state.failure = { status: 503, page: 0 }
  clockOffsetMs += 61_000
  await vi.waitFor(async () => {
    const { status, stale, body } = await list()
    expect({ status, length: body.length }).toEqual({ status: 200, length: 3 })
    expect(Number(stale)).toBeGreaterThanOrEqual(61)
  }, 30_000)
})

test('responds with 502 and the reason if there has never been a list', async () => {
  server.state.failure = { status: 401, page: 0 }
  const { status, body } = await list()
  expect(status).toBe(502)
  expect(body.error).toMatch(/^Bitbucket does not accept the token/)
  expect(body).toMatchObject({ code: 'bitbucket_token_refused', message: body.error })
})

test('responds with 502 if Bitbucket is not configured', async () => {
  const client = await signIn(unconfigured, 'staff@kustos.test')
  const response = await client.fetch('/api/bitbucket')
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({
    error: expect.stringMatching(/^Bitbucket is not configured/),
  })
})

test('requires the permission to view Bitbucket', async () => {
  const other = await signIn(origin, 'other@kustos.test')
  expect((await other.fetch('/api/bitbucket')).status).toBe(403)
  expect((await fetch(`${origin}/api/bitbucket`)).status).toBe(401)
})
