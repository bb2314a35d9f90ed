import { startBitbucketServer } from '@kustos/clients/testing/bitbucket-server'
import { repository } from '@kustos/contract/bitbucket'
import { repositories, repositorySyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createUser, listen, signedIn } from './visitor.ts'

const database = await testDatabase()
const server = await startBitbucketServer()
let ahead = 0
const now = () => new Date(Date.now() + ahead)
const origin = await listen(database, { bitbucket: server.bitbucket, now })
const unconfigured = await listen(database, { bitbucket: null, now })
await createUser(database, 'staff@kustos.test', ['view bitbucket'])
await createUser(database, 'other@kustos.test', ['view webs', 'create webs'])
const staff = await signedIn(origin, 'staff@kustos.test')
// After the API, whose refresh may be under way.
afterAll(() => server.stop())

beforeEach(async () => {
  await database.owner.db.execute(sql`truncate ${repositories}, ${repositorySyncs}`)
  Object.assign(server.state, {
    repositories: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
    failure: null,
    held: null,
    asked: 0,
  })
})

const list = async () => {
  const answer = await staff.fetch('/api/bitbucket')
  // Its shape is what the tests are about.
  return {
    status: answer.status,
    stale: answer.headers.get('x-kustos-stale'),
    body: JSON.parse(await answer.text()),
  }
}

test('every repository is listed as the contract says', async () => {
  const { status, stale, body } = await list()
  expect({ status, stale }).toEqual({ status: 200, stale: null })
  expect(z.array(repository).parse(body)).toEqual(body)
  expect(body).toMatchObject([{ name: 'one' }, { name: 'three' }, { name: 'two' }])
})

test('a dead Bitbucket leaves the last good list, with its age', async () => {
  await list()
  server.state.failure = { status: 503, page: 0 }
  ahead += 61_000
  await vi.waitFor(async () => {
    const { status, stale, body } = await list()
    expect({ status, length: body.length }).toEqual({ status: 200, length: 3 })
    expect(Number(stale)).toBeGreaterThanOrEqual(61)
  })
})

test('502 and a sentence where there never was a list', async () => {
  server.state.failure = { status: 401, page: 0 }
  const { status, body } = await list()
  expect(status).toBe(502)
  expect(body.error).toMatch(/^Bitbucket does not accept the token/)
  expect(body.message).toBe(body.error)
})

test('502 where Bitbucket is not configured', async () => {
  const visitor = await signedIn(unconfigured, 'staff@kustos.test')
  const answer = await visitor.fetch('/api/bitbucket')
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({ error: expect.stringMatching(/^Bitbucket is not configured/) })
})

test('only those who may view Bitbucket see it', async () => {
  const other = await signedIn(origin, 'other@kustos.test')
  expect((await other.fetch('/api/bitbucket')).status).toBe(403)
  expect((await fetch(`${origin}/api/bitbucket`)).status).toBe(401)
})
