import { file, type Route, urlOf } from '@kustos/contract/route'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { summariseFailedSignIns } from '@kustos/domain/logs'
import { createContext } from '@kustos/domain/platform/context'
import { gt } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { createUser, listen } from './api-client.ts'
import { readLastEntryId } from './last-entry.ts'
import { buildLoggedCalls } from './logged-calls/index.ts'
import { createLoggedFixtures } from './logged-fixtures.ts'
import { routes } from './routes.ts'
import { advanceClock, stopClock } from './stopped-clock.ts'

const database = await testDatabase()
const { db } = database
stopClock('2026-11-20T12:00:00Z')
const origin = await listen(database)
const fixtures = await createLoggedFixtures(database, origin)
const calls = buildLoggedCalls(fixtures)

afterEach(() => fixtures.collectCookies())

const listEntriesAfter = (id: number) =>
  db.select().from(logEntries).where(gt(logEntries.id, id)).orderBy(logEntries.id)

/** The routes that change something or export the inventory. */
const loggedRoutes = Object.entries(routes).filter(
  ([, route]) => (route.method !== 'GET' && route.isPreview !== true) || route.response === file,
)

it('covers every route that must leave an audit entry', () => {
  expect(Object.keys(calls).sort()).toEqual(loggedRoutes.map(([name]) => name).sort())
})

describe('a successful call leaves one entry', () => {
  it.each(loggedRoutes)('%s', async (name, route: Route) => {
    const call = await calls[name]?.()
    if (!call) throw new Error(`The table lacks ${name}`)
    const { by = fixtures.admin, causer = fixtures.adminId, params, body, entry } = call
    const before = await readLastEntryId(db)
    const response = await by.send(route.method, urlOf(route, params), body)
    expect(response.status, await response.clone().text()).toBe(route.status)
    const entries = await listEntriesAfter(before)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ ...entry, causer_id: causer })
    expect(
      Object.keys(entries[0]?.properties ?? {}).every((key) => ['old', 'attributes'].includes(key)),
    ).toBe(true)
  })
})

it('a call that changes nothing leaves no entry', async () => {
  const [web, role] = [await fixtures.web(), await fixtures.role()]
  const before = await readLastEntryId(db)
  const facts = { fqdn: web.name, customer: 'ALPEN', configured_ip: '192.0.2.1' }
  expect((await fixtures.admin.send('PUT', urlOf(websRoutes.editWeb, web), facts)).status).toBe(204)
  const same = { name: role.name, permissions: [] }
  expect((await fixtures.admin.send('PUT', urlOf(usersRoutes.editRole, role), same)).status).toBe(204)
  expect(await listEntriesAfter(before)).toEqual([])
})

describe('a denied call', () => {
  const denied = (attributes: object, causer_id: number) => ({
    log_name: 'auth',
    description: 'denied',
    subject_type: null,
    causer_id,
    properties: { attributes },
  })

  it('leaves an entry with its route and the requested id', async () => {
    const id = await createUser(database, 'curious@kustos.test', ['view webs'])
    const curious = await fixtures.visit('curious@kustos.test')
    const before = await readLastEntryId(db)
    expect((await curious.fetch('/api/logs?limit=7')).status).toBe(403)
    expect((await curious.send('DELETE', '/api/webs/4711')).status).toBe(403)
    expect((await curious.send('DELETE', '/api/webs/nonsense')).status).toBe(403)
    // Denied by the handler, not by the route.
    expect((await curious.fetch('/api/webs?deleted=1')).status).toBe(403)
    expect(await listEntriesAfter(before)).toMatchObject([
      denied({ method: 'GET', route: '/api/logs' }, id),
      denied({ method: 'DELETE', route: '/api/webs/:id', id: 4711 }, id),
      denied({ method: 'DELETE', route: '/api/webs/:id' }, id),
      denied({ method: 'GET', route: '/api/webs' }, id),
    ])
  })

  it('leaves an entry with the id if the domain denies it', async () => {
    const id = await createUser(database, 'manager@kustos.test', ['view admin panel'])
    const manager = await fixtures.visit('manager@kustos.test')
    const before = await readLastEntryId(db)
    expect((await manager.send('DELETE', `/api/users/${fixtures.adminId}`)).status).toBe(403)
    expect(await listEntriesAfter(before)).toMatchObject([
      denied({ method: 'DELETE', route: '/api/users/:id', id: fixtures.adminId }, id),
    ])
  })

  it('leaves another entry for another id', async () => {
    await createUser(database, 'prober@kustos.test', ['view webs'])
    const prober = await fixtures.visit('prober@kustos.test')
    const before = await readLastEntryId(db)
    for (const id of [8, 1, 8]) await prober.send('DELETE', `/api/users/${id}`)
    const properties = (await listEntriesAfter(before)).map(({ properties }) => properties)
    expect(properties).toMatchObject([{ attributes: { id: 8 } }, { attributes: { id: 1 } }])
  })

  it('leaves one entry per minute for each user and route', async () => {
    const [first, second] = ['first@kustos.test', 'second@kustos.test']
    const ids = [await createUser(database, first, []), await createUser(database, second, [])]
    const [one, two] = [await fixtures.visit(first), await fixtures.visit(second)]
    const before = await readLastEntryId(db)
    for (const client of [one, two])
      await Promise.all(Array.from({ length: 10 }, () => client.fetch('/api/webs')))
    expect((await listEntriesAfter(before)).map(({ causer_id }) => causer_id)).toEqual(ids)
    advanceClock(61_000)
    await one.fetch('/api/webs')
    await one.fetch('/api/webs')
    expect(await listEntriesAfter(before)).toHaveLength(3)
  })

  it('leaves none without a signed-in user or a token', async () => {
    const nobody = fixtures.client()
    const before = await readLastEntryId(db)
    expect((await nobody.fetch('/api/webs')).status).toBe(401)
    expect((await fixtures.admin.fetch('/api/webs/1', { method: 'DELETE' })).status).toBe(419)
    expect(await listEntriesAfter(before)).toEqual([])
  })
})

it('logs a refused sign-in with its e-mail and address', async () => {
  const nobody = fixtures.client()
  fixtures.secrets.add('not the password at all')
  for (const [email, subject_id] of [
    ['admin@kustos.test', fixtures.adminId],
    ['stranger@kustos.test', null],
  ] as const) {
    const before = await readLastEntryId(db)
    expect((await nobody.signIn(email, 'not the password at all')).status).toBe(401)
    expect(await listEntriesAfter(before)).toMatchObject([
      {
        log_name: 'auth',
        description: 'sign-in refused',
        subject_id,
        causer_id: null,
        properties: { attributes: { email, address: '127.0.0.1' } },
      },
    ])
  }
})

it('adds no entry for repeated failures, and at most twenty an hour for those of all e-mails', async () => {
  advanceClock(3_600_000)
  const nobody = fixtures.client()
  const before = await readLastEntryId(db)
  for (let time = 0; time < 5; time++)
    expect((await nobody.signIn('guessed@kustos.test', 'guess')).status).toBe(401)
  expect(await listEntriesAfter(before)).toHaveLength(1)
  for (let n = 0; n < 30; n++)
    expect((await nobody.signIn(`sprayed-${n}@kustos.test`, 'guess')).status).toBe(401)
  expect(await listEntriesAfter(before)).toHaveLength(20)
})

it('logs wrong and throttled sign-ins of an hour in one summary', async () => {
  const kustos = createContext(database)
  advanceClock(2 * 3_600_000)
  await summariseFailedSignIns(kustos)
  const email = 'guessed@kustos.test'
  const subject_id = await createUser(database, email, [])
  const nobody = fixtures.client()
  const before = await readLastEntryId(db)
  for (let time = 0; time < 5; time++) expect((await nobody.signIn(email, 'guess')).status).toBe(401)
  for (let time = 0; time < 7; time++) expect((await nobody.signIn(email, 'guess')).status).toBe(429)
  const entry = {
    log_name: 'auth',
    description: 'sign-in refused',
    subject_id,
    causer_id: null,
    properties: { attributes: { email, address: '127.0.0.1' } },
  }
  expect(await listEntriesAfter(before)).toMatchObject([entry])
  const hour = new Date().toISOString().replace(/:.*/, ':00:00.000Z')
  expect(await summariseFailedSignIns(kustos)).toEqual({ summaries: 0, removed: 0 })
  advanceClock(3_600_000)
  await summariseFailedSignIns(kustos)
  const attributes = {
    hour,
    times: 11,
    tried_emails: 1,
    networks: 1,
    most_failures: ['guessed@kustos.test 127.0.0.1: 11'],
  }
  expect(await listEntriesAfter(before)).toMatchObject([
    entry,
    {
      log_name: 'auth',
      description: 'further sign-ins refused',
      causer_id: null,
      properties: { attributes },
    },
  ])
  expect(await summariseFailedSignIns(kustos)).toEqual({ summaries: 0, removed: 0 })
})

it('the log contains no password, cookie or token used in these tests', async () => {
  expect(fixtures.secrets.size).toBeGreaterThan(30)
  const { rows } = await database.pool.query<{ line: string }>(
    'select to_json(log_entries)::text as line from log_entries',
  )
  expect(rows.length).toBeGreaterThan(40)
  for (const { line } of rows) {
    for (const secret of fixtures.secrets)
      expect(line.includes(secret), `${secret} is in ${line}`).toBe(false)
    expect(line).not.toMatch(/\$argon2|"(password|token|cookie|secret)\w*":/i)
  }
})
