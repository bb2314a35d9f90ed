import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangedEvent } from '@kustos/contract/events'
import { testDatabase } from '@kustos/database/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { makeRole, makeUser } from './people.ts'
import { createUser, listen, password, signedIn, type Visitor } from './visitor.ts'

const database = await testDatabase()
const origin = await listen(database)
await createUser(database, 'anna@kustos.test', 'admin')
const admin = await signedIn(origin, 'anna@kustos.test')
const viewers = await makeRole(admin, ['view webs'])
const queuers = await makeRole(admin, ['view queue'])

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

/** Within a second, and time for a busy machine; heartbeats, which look at the user too, are 15 seconds apart. */
const soon = (what: () => unknown) => expect.poll(what, { timeout: 4_000, interval: 20 })

/** A stream that somebody listens to. */
async function listenAs(visitor: Visitor) {
  const ending = new AbortController()
  endings.push(() => ending.abort())
  const answer = await visitor.fetch('/api/events', { signal: ending.signal })
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

describe('account', () => {
  it('is told to the user alone whom it is about', async () => {
    const [user, other] = [
      await makeUser(admin, password, [viewers]),
      await makeUser(admin, password, [viewers]),
    ]
    const stream = await listenAs(await signedIn(origin, user.email))
    const bystander = await listenAs(await signedIn(origin, other.email))
    const boss = await listenAs(admin)
    await admin.send('PUT', `/api/users/${user.id}`, { ...user, password: '', name: 'Other' })
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
    await soon(() => boss.heard).toContainEqual({ list: 'users', id: user.id })
    expect(bystander.heard).toEqual([])
    expect(boss.lists()).not.toContain('account')
    expect(stream.lists()).not.toContain('users')
  })

  it('is told of a session that opens or ends elsewhere', async () => {
    const user = await makeUser(admin, password, [viewers])
    const here = await signedIn(origin, user.email)
    const stream = await listenAs(here)
    const there = await signedIn(origin, user.email)
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
    stream.heard.length = 0
    await there.send('POST', '/api/logout')
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
  })

  it('is told of a permission that comes or goes with a role, of which its holder may not hear', async () => {
    const role = await makeRole(admin, ['view webs'])
    const user = await makeUser(admin, password, [role])
    const stream = await listenAs(await signedIn(origin, user.email))
    await admin.send('PUT', `/api/roles/${role.id}`, { ...role, permissions: ['view webs', 'view queue'] })
    await soon(() => stream.heard).toContainEqual({ list: 'account', id: user.id })
    expect(stream.lists()).not.toContain('roles')
  })
})

describe('a stream ends at once', () => {
  it.each<[string, (by: Visitor, user: { id: number; email: string; name: string }) => Promise<unknown>]>([
    ['when its user is deleted', (_, { id }) => admin.send('DELETE', `/api/users/${id}`)],
    ['when its session is signed out', (by) => by.send('POST', '/api/logout')],
    [
      'when somebody sets a new password',
      (_, { id, email, name }) =>
        admin.send('PUT', `/api/users/${id}`, { email, name, password: 'another pass phrase' }),
    ],
    [
      'when all other sessions are ended',
      async (_, { email }) => (await signedIn(origin, email)).send('DELETE', '/api/sessions'),
    ],
  ])('%s', async (_, change) => {
    const user = await makeUser(admin, password, [viewers])
    const visitor = await signedIn(origin, user.email)
    const stream = await listenAs(visitor)
    await change(visitor, user)
    await soon(() => stream.isOver).toBe(true)
    expect((await visitor.fetch('/api/events')).status).toBe(401)
  })

  it('and not when another session of the user ends', async () => {
    const user = await makeUser(admin, password, [viewers])
    const stream = await listenAs(await signedIn(origin, user.email))
    await (await signedIn(origin, user.email)).send('POST', '/api/logout')
    await soon(() => stream.lists()).toContain('account')
    expect(stream.isOver).toBe(false)
  })
})

describe('a list', () => {
  it('that is taken from somebody is not told of any more, from that moment on', async () => {
    const role = await makeRole(admin, ['view webs', 'view logs'])
    const user = await makeUser(admin, password, [role])
    const stream = await listenAs(await signedIn(origin, user.email))
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

  it('that is given to somebody is told of from that moment on', async () => {
    const user = await makeUser(admin, password, [queuers])
    const stream = await listenAs(await signedIn(origin, user.email))
    await makeWeb()
    await sleep(200)
    expect(stream.heard).toEqual([])
    await admin.send('PUT', `/api/users/${user.id}`, { ...user, password: '', roles: [viewers.id] })
    await makeWeb()
    await soon(() => stream.lists()).toContain('webs')
  })

  it('is told of in time amid a burst of changes of roles', async () => {
    const user = await makeUser(admin, password, [viewers])
    const stream = await listenAs(await signedIn(origin, user.email))
    let isOn = true
    const burst = (async () => {
      while (isOn) await makeRole(admin, [])
    })()
    await sleep(300)
    await makeWeb()
    await soon(() => stream.lists()).toContain('webs')
    isOn = false
    await burst
  })
})

it('whoever listens anew after the database was away is told of everything they may see, and of nothing else', async () => {
  const user = await makeUser(admin, password, [viewers])
  const stream = await listenAs(await signedIn(origin, user.email))
  await database.owner.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'kustos-notifications'`,
  )
  await expect.poll(() => stream.lists(), { timeout: 5_000 }).toContain('webs')
  expect(stream.heard).toContainEqual({ list: 'account', id: user.id })
  expect(stream.lists()).not.toContain('users')
  expect(stream.lists()).not.toContain('logs')
})
