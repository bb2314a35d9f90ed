import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangedEvent } from '@kustos/contract/events'
import { openDatabase } from '@kustos/database/client'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ApiClient, createUser, listen, password, signIn } from './api-client.ts'
import { createRoleByApi, createUserByApi } from './users-and-roles.ts'

const database = await testDatabase()
const origin = await listen(database)
await createUser(database, 'anna@kustos.test', 'admin')
const admin = await signIn(origin, 'anna@kustos.test')
const viewers = await createRoleByApi(admin, ['view webs'])
/** Without any list that changes when a web is created. */
const tagEditors = await createRoleByApi(admin, ['edit tags'])

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp()
})

/** Long enough for a busy machine, but shorter than the 15 seconds between heartbeats, which also check the user. */
const soon = (what: () => unknown) => expect.poll(what, { timeout: 30_000, interval: 20 })

/** Opens an event stream and collects its events. */
async function openStream(client: ApiClient) {
  const controller = new AbortController()
  cleanups.push(() => controller.abort())
  const response = await client.fetch('/api/events', { signal: controller.signal })
  expect(response.status).toBe(200)
  const events: ChangedEvent[] = []
  const stream = { events, isClosed: false, lists: () => events.map((event) => event.list) }
  const read = async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, json] = /^data: (.*)$/m.exec(part) ?? []
        if (json !== undefined) events.push(JSON.parse(json))
      }
    }
  }
  read()
    .catch(() => undefined)
    .finally(() => {
      stream.isClosed = true
    })
  // Skips the events of its first check of the user.
  await sleep(100)
  events.length = 0
  return stream
}

let webs = 0
const createWeb = () =>
  admin.send('POST', '/api/webs', {
    fqdn: `web-${++webs}.test`,
    customer: 'A',
    configured_ip: '192.0.2.1',
  })

describe('account events', () => {
  it('reach only the user they concern', async () => {
    const [user, other] = [
      await createUserByApi(admin, password, [viewers]),
      await createUserByApi(admin, password, [viewers]),
    ]
    const stream = await openStream(await signIn(origin, user.email))
    const bystander = await openStream(await signIn(origin, other.email))
    const adminStream = await openStream(admin)
    await admin.send('PUT', `/api/users/${user.id}`, { ...user, password: '', name: 'Other' })
    await soon(() => stream.events).toContainEqual({ list: 'account', id: user.id })
    await soon(() => adminStream.events).toContainEqual({ list: 'users', id: user.id })
    expect(bystander.events).toEqual([])
    expect(adminStream.lists()).not.toContain('account')
    expect(stream.lists()).not.toContain('users')
  })

  it('announce a session that starts or ends elsewhere', async () => {
    const user = await createUserByApi(admin, password, [viewers])
    const here = await signIn(origin, user.email)
    const stream = await openStream(here)
    const there = await signIn(origin, user.email)
    await soon(() => stream.events).toContainEqual({ list: 'account', id: user.id })
    stream.events.length = 0
    await there.send('POST', '/api/logout')
    await soon(() => stream.events).toContainEqual({ list: 'account', id: user.id })
  })

  it('announce a changed role to its holders who may not view roles', async () => {
    const role = await createRoleByApi(admin, ['view webs'])
    const user = await createUserByApi(admin, password, [role])
    const stream = await openStream(await signIn(origin, user.email))
    await admin.send('PUT', `/api/roles/${role.id}`, { ...role, permissions: ['view webs', 'view queue'] })
    await soon(() => stream.events).toContainEqual({ list: 'account', id: user.id })
    expect(stream.lists()).not.toContain('roles')
  })
})

describe('a stream', () => {
  it.each<[string, (by: ApiClient, user: { id: number; email: string; name: string }) => Promise<unknown>]>([
    ['when its user is deleted', (_, { id }) => admin.send('DELETE', `/api/users/${id}`)],
    ['when its session is signed out', (by) => by.send('POST', '/api/logout')],
    [
      'when another user sets a new password',
      (_, { id, email, name }) =>
        admin.send('PUT', `/api/users/${id}`, { email, name, password: 'another pass phrase' }),
    ],
    [
      'when all other sessions are ended',
      async (_, { email }) => (await signIn(origin, email)).send('DELETE', '/api/sessions'),
    ],
  ])('ends at once %s', async (_, change) => {
    const user = await createUserByApi(admin, password, [viewers])
    const client = await signIn(origin, user.email)
    const stream = await openStream(client)
    await change(client, user)
    await soon(() => stream.isClosed).toBe(true)
    expect((await client.fetch('/api/events')).status).toBe(401)
  })

  it('stays open when another session of the user ends', async () => {
    const user = await createUserByApi(admin, password, [viewers])
    const stream = await openStream(await signIn(origin, user.email))
    await (await signIn(origin, user.email)).send('POST', '/api/logout')
    await soon(() => stream.lists()).toContain('account')
    expect(stream.isClosed).toBe(false)
  })
})

describe('list events', () => {
  it('stop as soon as the permission is revoked', async () => {
    const role = await createRoleByApi(admin, ['view webs', 'view logs'])
    const user = await createUserByApi(admin, password, [role])
    const stream = await openStream(await signIn(origin, user.email))
    await createWeb()
    await soon(() => stream.lists()).toContain('webs')
    await sleep(300)
    stream.events.length = 0
    await admin.send('PUT', `/api/roles/${role.id}`, {
      ...role,
      permissions: ['edit tags'],
    })
    await Promise.all(Array.from({ length: 5 }, createWeb))
    await soon(() => stream.lists()).toContain('account')
    await sleep(300)
    expect(new Set(stream.lists())).toEqual(new Set(['account']))
  })

  it('start as soon as the permission is granted', async () => {
    const user = await createUserByApi(admin, password, [tagEditors])
    const stream = await openStream(await signIn(origin, user.email))
    await createWeb()
    await sleep(200)
    expect(stream.events).toEqual([])
    await admin.send('PUT', `/api/users/${user.id}`, { ...user, password: '', roles: [viewers.id] })
    await createWeb()
    await soon(() => stream.lists()).toContain('webs')
  })

  it('arrive in time during many role changes', async () => {
    const user = await createUserByApi(admin, password, [viewers])
    const stream = await openStream(await signIn(origin, user.email))
    let isOn = true
    const burst = (async () => {
      while (isOn) await createRoleByApi(admin, [])
    })()
    await sleep(300)
    await createWeb()
    await soon(() => stream.lists()).toContain('webs')
    isOn = false
    await burst
  })
})

it('announces all visible lists after a database outage', async () => {
  const user = await createUserByApi(admin, password, [viewers])
  const stream = await openStream(await signIn(origin, user.email))
  await database.owner.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'kustos-notifications'`,
  )
  await expect.poll(() => stream.lists()).toContain('webs')
  expect(stream.events).toContainEqual({ list: 'account', id: user.id })
  expect(stream.lists()).not.toContain('users')
  expect(stream.lists()).not.toContain('logs')
})

const counted = openDatabase(database.url)
afterAll(() => counted.close())
const countedOrigin = await listen({ ...database, ...counted })

describe('many streams of a session', () => {
  /** Each statement outside of a transaction takes a connection of the pool once. */
  let statements = 0
  counted.pool.on('acquire', () => void statements++)

  async function openStreams() {
    // Heartbeats come when the test lets them.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const role = await createRoleByApi(admin, ['view webs'])
    const user = await createUserByApi(admin, password, [role])
    const client = await signIn(countedOrigin, user.email)
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(client)))
    await sleep(500)
    statements = 0
    return { role, streams, client }
  }

  it('read a changed user once for all of them', async () => {
    const { role, streams } = await openStreams()
    await admin.send('PUT', `/api/roles/${role.id}`, { ...role, permissions: ['view webs', 'view queue'] })
    for (const stream of streams) await soon(() => stream.lists()).toContain('account')
    await sleep(500)
    // At the start and at the end of a burst of changes.
    expect(statements).toBeLessThanOrEqual(2)
    expect(statements).toBeGreaterThan(0)
  })

  it('check their user with one statement in each heartbeat', async () => {
    const { streams, client } = await openStreams()
    for (let beat = 1; beat <= 4; beat++) {
      vi.advanceTimersByTime(15_000)
      await expect.poll(() => statements).toBe(beat)
    }
    await sleep(100)
    expect(statements).toBe(4)
    expect(streams.map(({ isClosed }) => isClosed)).not.toContain(true)
    vi.useRealTimers()
    await client.send('POST', '/api/logout')
    for (const stream of streams) await soon(() => stream.isClosed).toBe(true)
  })
})

describe('what needs attention', () => {
  it('is reported as changed when somebody handles an entry, or a column of a web changes that matters', async () => {
    const viewer = await createUserByApi(admin, password, [viewers])
    const stream = await openStream(await signIn(origin, viewer.email))
    const count = () => stream.lists().filter((list) => list === 'attention').length
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into webs (fqdn, fqdn_ascii, customer, configured_ip, status, framework_name, framework_version)
        values ('old.test', 'old.test', 'A', '192.0.2.1', 0, 'TYPO3', '8.7') returning id`,
    )
    await soon(count).toBe(1)
    const id = rows[0]?.id
    await database.pool.query("update webs set comment = 'x', http_status_code = 200 where id = $1", [id])
    await database.pool.query("update webs set framework_version = '9.5' where id = $1", [id])
    await soon(count).toBe(2)
    const { data } = await admin.json<{ data: { id: string }[] }>('/api/attention?kind=framework_unsupported')
    await admin.send('PUT', `/api/attention/${data[0]?.id}/acknowledge`, {})
    await soon(count).toBe(3)
  })

  it('is reported as changed when a certificate fails or is no longer checked, not with each check', async () => {
    const viewer = await createUserByApi(admin, password, [viewers])
    const stream = await openStream(await signIn(origin, viewer.email))
    const count = () => stream.lists().filter((list) => list === 'attention').length
    const run = (statement: string) => database.pool.query(statement)
    await run(
      `insert into webs (fqdn, fqdn_ascii, customer, configured_ip) values ('tls.test', 'tls.test', 'A', '192.0.2.1')`,
    )
    await soon(count).toBe(1)
    const checked = (state: string, since: string) =>
      run(`insert into web_certificates (web_id, name, kind, checked_at, state, wrong_since, ipv6)
        select id, 'www.tls.test', 'www', now(), '${state}', ${since}, 'none' from webs where fqdn = 'tls.test'
        on conflict (web_id, name) do update set
          checked_at = excluded.checked_at, state = excluded.state, wrong_since = excluded.wrong_since`)
    await checked('valid', 'null')
    await soon(count).toBe(2)
    await checked('valid', 'null')
    await checked('wrong_name', `'2026-11-28'`)
    await soon(count).toBe(3)
    await run('delete from web_certificates')
    await soon(count).toBe(4)
  })
})

it('reports changed checks, tracking contracts and exceptions to users who may not see the audit log', async () => {
  const viewer = await createUserByApi(admin, password, [viewers])
  const stream = await openStream(await signIn(origin, viewer.email))
  const { id } = (await (await createWeb()).json()) as { id: number }
  const changed = async (list: string, change: () => Promise<unknown>) => {
    stream.events.length = 0
    await change()
    await soon(stream.lists).toContain(list)
  }
  await changed('checks', () => admin.send('PUT', `/api/webs/${id}/check`, { path: '/health' }))
  await changed('tracking_contracts', () =>
    admin.send('PUT', `/api/webs/${id}/contract`, { hosts: ['a.test'] }),
  )
  await changed('tracking_contracts', () =>
    database.pool.query(
      `insert into tracking_exceptions (web_id, key, difference, until, reason, created_at)
        values ($1, 'k', 'd', now(), 'r', now())`,
      [id],
    ),
  )
  expect(stream.lists()).not.toContain('logs')
})

it('survives notifications that are not those of its triggers', async () => {
  const stream = await openStream(admin)
  for (const payload of ['', 'test', '{"list":"nothing"}'])
    await database.owner.pool.query('select pg_notify($1, $2)', ['kustos', payload])
  expect((await createWeb()).status).toBe(201)
  await soon(stream.lists).toContain('webs')
})
