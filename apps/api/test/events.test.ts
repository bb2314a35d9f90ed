import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangedEvent } from '@kustos/contract/events'
import { testDatabase } from '@kustos/database/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type ApiClient, createUser, listen, password, signIn } from './api-client.ts'
import { createRoleByApi, createUserByApi } from './users-and-roles.ts'

const database = await testDatabase()
const origin = await listen(database)
await createUser(database, 'anna@kustos.test', 'admin')
const admin = await signIn(origin, 'anna@kustos.test')
const viewers = await createRoleByApi(admin, ['view webs'])
const queuers = await createRoleByApi(admin, ['view queue'])

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

/** Within a second, and time for a busy machine; heartbeats, which look at the user too, are 15 seconds apart. */
const soon = (what: () => unknown) => expect.poll(what, { timeout: 4_000, interval: 20 })

/** A stream that somebody listens to. */
async function listenAs(client: ApiClient) {
  const ending = new AbortController()
  endings.push(() => ending.abort())
  const answer = await client.fetch('/api/events', { signal: ending.signal })
  expect(answer.status).toBe(200)
  const heard: ChangedEvent[] = []
  const stream = { heard, isOver: false, lists: () => heard.map((event) => event.list) }
  const read = async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, json] = /^data: (.*)$/m.exec(part) ?? []
        if (json !== undefined) heard.push(JSON.parse(json))
      }
    }
  }
  read()
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true
    })
  // Its first look at the user.
  await sleep(100)
  heard.length = 0
  return stream
}

let webs = 0
const makeWeb = () =>
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
    const stream = await listenAs(await signIn(origin, user.email))
    const bystander = await listenAs(await signIn(origin, other.email))
    const boss = await listenAs(admin)
    await admin.send('PUT', `/api/users/${user.id}`, { ...user, password: '', name: 'Other' })
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
    await soon(() => boss.heard).toContainEqual({ list: 'users', id: user.id })
    expect(bystander.heard).toEqual([])
    expect(boss.lists()).not.toContain('account')
    expect(stream.lists()).not.toContain('users')
  })

  it('announce a session that opens or ends elsewhere', async () => {
    const user = await createUserByApi(admin, password, [viewers])
    const here = await signIn(origin, user.email)
    const stream = await listenAs(here)
    const there = await signIn(origin, user.email)
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
    stream.heard.length = 0
    await there.send('POST', '/api/logout')
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
  })

  it('announce a permission gained or lost through a role to holders who may not view roles', async () => {
    const role = await createRoleByApi(admin, ['view webs'])
    const user = await createUserByApi(admin, password, [role])
    const stream = await listenAs(await signIn(origin, user.email))
    await admin.send('PUT', `/api/roles/${role.id}`, { ...role, permissions: ['view webs', 'view queue'] })
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
    expect(stream.lists()).not.toContain('roles')
  })
})

describe('a stream ends at once', () => {
  it.each<[string, (by: ApiClient, user: { id: number; email: string; name: string }) => Promise<unknown>]>([
    ['when its user is deleted', (_, { id }) => admin.send('DELETE', `/api/users/${id}`)],
    ['when its session is signed out', (by) => by.send('POST', '/api/logout')],
    [
      'when somebody sets a new password',
      (_, { id, email, name }) =>
        admin.send('PUT', `/api/users/${id}`, { email, name, password: 'another pass phrase' }),
    ],
    [
      'when all other sessions are ended',
      async (_, { email }) => (await signIn(origin, email)).send('DELETE', '/api/sessions'),
    ],
  ])('%s', async (_, change) => {
    const user = await createUserByApi(admin, password, [viewers])
    const client = await signIn(origin, user.email)
    const stream = await listenAs(client)
    await change(client, user)
    await soon(() => stream.isOver).toBe(true)
    expect((await client.fetch('/api/events')).status).toBe(401)
  })

  it('and not when another session of the user ends', async () => {
    const user = await createUserByApi(admin, password, [viewers])
    const stream = await listenAs(await signIn(origin, user.email))
    await (await signIn(origin, user.email)).send('POST', '/api/logout')
    await soon(() => stream.lists()).toContain('account')
    expect(stream.isOver).toBe(false)
  })
})

describe('list events', () => {
  it('stop as soon as the permission is revoked', async () => {
    const role = await createRoleByApi(admin, ['view webs', 'view logs'])
    const user = await createUserByApi(admin, password, [role])
    const stream = await listenAs(await signIn(origin, user.email))
    await makeWeb()
    await soon(() => stream.lists()).toContain('webs')
    await sleep(300)
    stream.heard.length = 0
    await admin.send('PUT', `/api/roles/${role.id}`, { ...role, permissions: ['view queue'] })
    await Promise.all(Array.from({ length: 5 }, makeWeb))
    await soon(() => stream.lists()).toContain('account')
    await sleep(300)
    expect(new Set(stream.lists())).toEqual(new Set(['account']))
  })

  it('start as soon as the permission is granted', async () => {
    const user = await createUserByApi(admin, password, [queuers])
    const stream = await listenAs(await signIn(origin, user.email))
    await makeWeb()
    await sleep(200)
    expect(stream.heard).toEqual([])
    await admin.send('PUT', `/api/users/${user.id}`, { ...user, password: '', roles: [viewers.id] })
    await makeWeb()
    await soon(() => stream.lists()).toContain('webs')
  })

  it('arrive in time during a burst of role changes', async () => {
    const user = await createUserByApi(admin, password, [viewers])
    const stream = await listenAs(await signIn(origin, user.email))
    let isOn = true
    const burst = (async () => {
      while (isOn) await createRoleByApi(admin, [])
    })()
    await sleep(300)
    await makeWeb()
    await soon(() => stream.lists()).toContain('webs')
    isOn = false
    await burst
  })
})

it('announces every visible list, and no other, to clients that reconnect after a database outage', async () => {
  const user = await createUserByApi(admin, password, [viewers])
  const stream = await listenAs(await signIn(origin, user.email))
  await database.owner.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'kustos-notifications'`,
  )
  await expect.poll(() => stream.lists(), { timeout: 5_000 }).toContain('webs')
  expect(stream.heard).toContainEqual({ list: 'account', id: user.id })
  expect(stream.lists()).not.toContain('users')
  expect(stream.lists()).not.toContain('logs')
})
