import { createHmac } from 'node:crypto'
import { sessions, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from '../api-client.ts'

const database = await testDatabase()
const { db } = database
let clock = Date.parse('2026-11-20T12:00:00Z')
const now = () => new Date(clock)
const origin = await listen(database, { now })
const anna = await createUser(database, 'anna@kustos.test', ['view webs'])
await createUser(database, 'admin@kustos.test', 'admin')
await createUser(database, 'mallory@kustos.test', [])

const hour = 3600 * 1000
beforeEach(async () => {
  clock += 2 * hour
  await db.update(users).set({ deleted_at: null }).where(eq(users.id, anna))
})

const readSessionCookie = (client: ApiClient) => client.cookies.get('kustos_session') ?? ''

/** @returns the status of a request with only this cookie */
const requestWith = async (cookie: string, at = origin) =>
  (await fetch(`${at}/api/users/current`, { headers: { cookie: `kustos_session=${cookie}` } })).status

describe('a cookie planted before sign-in', () => {
  /** Signs in with these cookies already set. */
  async function signInWith(planted: Readonly<Record<string, string>>) {
    const client = new ApiClient(origin)
    for (const [name, value] of Object.entries(planted)) client.cookies.set(name, value)
    expect((await client.signIn('anna@kustos.test')).status).toBe(204)
    return client
  }

  it("is worthless afterwards, even with a valid signature from the attacker's session", async () => {
    const attacker = new ApiClient(origin)
    await attacker.fetch('/sanctum/csrf-cookie')
    const planted = Object.fromEntries(attacker.cookies)
    const victim = await signInWith(planted)
    expect(readSessionCookie(victim)).not.toBe(planted.kustos_session)
    expect(await requestWith(planted.kustos_session ?? '')).toBe(401)
    expect(await requestWith(readSessionCookie(victim))).toBe(200)
  })

  it('of another signed-in user ends with the sign-in', async () => {
    const attacker = await signIn(origin, 'mallory@kustos.test')
    const planted = readSessionCookie(attacker)
    const victim = await signInWith(Object.fromEntries(attacker.cookies))
    expect(await requestWith(planted)).toBe(401)
    expect(await victim.json('/api/users/current')).toMatchObject({ id: anna })
  })

  it.each(['abcdef', `${'a'.repeat(32)}.${'b'.repeat(43)}`, 'null', '1.'])(
    'that is invalid (%s) never becomes a session id',
    async (planted) => {
      const client = await signInWith({ kustos_session: planted, 'XSRF-TOKEN': 'mine' })
      expect(readSessionCookie(client)).not.toContain(planted)
      expect(decodeURIComponent(client.cookies.get('XSRF-TOKEN') ?? '')).not.toBe('mine')
      expect(await requestWith(planted)).toBe(401)
    },
  )

  it('has no valid token afterwards', async () => {
    const client = new ApiClient(origin)
    await client.fetch('/sanctum/csrf-cookie')
    const stale = decodeURIComponent(client.cookies.get('XSRF-TOKEN') ?? '')
    await client.signIn('anna@kustos.test')
    expect((await client.send('POST', '/api/logout', undefined, { 'x-xsrf-token': stale })).status).toBe(419)
    expect((await client.send('POST', '/api/logout')).status).toBe(204)
  })
})

describe('a copied cookie', () => {
  const admin = () => signIn(origin, 'admin@kustos.test')

  it.each<[string, (client: ApiClient) => Promise<unknown>]>([
    ['after a sign-out', (client) => client.send('POST', '/api/logout')],
    [
      'after a new sign-in in the same browser',
      async (client) => expect((await client.signIn('anna@kustos.test')).status).toBe(204),
    ],
    [
      'once all sessions but one are ended',
      async () => (await signIn(origin, 'anna@kustos.test')).send('DELETE', '/api/sessions'),
    ],
    [
      'once someone else has set a new password',
      async () => {
        const body = { email: 'anna@kustos.test', name: 'Anna', password }
        expect((await (await admin()).send('PUT', `/api/users/${anna}`, body)).status).toBe(204)
      },
    ],
    ['once the user is deleted', async () => (await admin()).send('DELETE', `/api/users/${anna}`)],
    [
      'once the user is deleted and restored',
      async () => {
        const by = await admin()
        await by.send('DELETE', `/api/users/${anna}`)
        expect((await by.send('PUT', `/api/users/${anna}/restore`)).status).toBe(204)
      },
    ],
    [
      'after eight idle hours',
      async () => {
        clock += 8 * hour + 1
      },
    ],
    [
      'once its row is deleted, as when it has expired',
      async () => db.delete(sessions).where(eq(sessions.user_id, anna)),
    ],
  ])('is worthless %s', async (_, end) => {
    const client = await signIn(origin, 'anna@kustos.test')
    const copied = readSessionCookie(client)
    const token = decodeURIComponent(client.cookies.get('XSRF-TOKEN') ?? '')
    expect(await requestWith(copied)).toBe(200)
    await end(client)
    expect(await requestWith(copied)).toBe(401)
    const change = await fetch(`${origin}/api/users/${anna}`, {
      method: 'PUT',
      headers: {
        cookie: `kustos_session=${copied}`,
        'x-xsrf-token': token,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    // The token ended with the session.
    expect(change.status).toBe(419)
  })

  it('is worthless after another process has ended the session', async () => {
    const other = await listen(database, { now })
    const client = await signIn(origin, 'anna@kustos.test')
    const otherClient = new ApiClient(other)
    for (const [name, value] of client.cookies) otherClient.cookies.set(name, value)
    const copied = readSessionCookie(client)
    expect(await requestWith(copied, other)).toBe(200)
    expect((await otherClient.send('POST', '/api/logout')).status).toBe(204)
    expect(await requestWith(copied)).toBe(401)
  })

  it('is worthless after the signing secret has changed', async () => {
    const client = await signIn(origin, 'anna@kustos.test')
    const renewed = await listen(database, { now, sessionSecret: 't'.repeat(32) })
    expect(await requestWith(readSessionCookie(client), renewed)).toBe(401)
    expect(await requestWith(readSessionCookie(client))).toBe(200)
  })
})

it('rejects a tampered cookie', async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  const whole = decodeURIComponent(readSessionCookie(client))
  const [id = '', signature = ''] = [
    whole.slice(0, whole.lastIndexOf('.')),
    whole.slice(whole.lastIndexOf('.') + 1),
  ]
  const sign = (text: string, secret: string, algorithm = 'sha256') =>
    `${text}.${createHmac(algorithm, secret).update(text).digest('base64').replace(/=+$/, '')}`
  expect(await requestWith(encodeURIComponent(whole))).toBe(200)
  const forged = [
    id,
    `${id}.`,
    `.${signature}`,
    `${id}.${signature.slice(0, -1)}`,
    `${id}.${[...signature].reverse().join('')}`,
    `${id}x.${signature}`,
    `${id.slice(1)}.${signature}`,
    `${id}.${signature}.${signature}`,
    sign(id, ''),
    sign(id, 'secret'),
    sign(id, 's'.repeat(31)),
    sign(id, 's'.repeat(32), 'sha1'),
    `s:${whole}`,
    `${id}\u0000.${signature}`,
    `["${whole}"]`,
  ]
  for (const cookie of forged)
    expect([cookie, await requestWith(encodeURIComponent(cookie))]).toEqual([cookie, 401])
})

it("does not accept the database's values as a cookie", async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  const rows = await db.select().from(sessions).where(eq(sessions.user_id, anna))
  for (const { id, number } of rows)
    for (const cookie of [id, String(number), `${id}.${readSessionCookie(client).split('.').at(-1)}`])
      expect(await requestWith(encodeURIComponent(cookie))).toBe(401)
})

describe('behind HTTPS', () => {
  const https = { 'x-forwarded-proto': 'https' }
  const names = ['__Host-kustos_session', '__Host-kustos_device'] as const

  class SecureBrowser extends ApiClient {
    override fetch(path: string, init: RequestInit = {}): Promise<Response> {
      return super.fetch(path, {
        ...init,
        headers: { ...https, ...Object.fromEntries(new Headers(init.headers)) },
      })
    }
  }
  const openProxied = () => listen(database, { now, trustProxy: ['127.0.0.1'] })

  it('the cookies of the session and the device can be set by this host only', async () => {
    const client = new SecureBrowser(await openProxied())
    const set = (await client.signIn('anna@kustos.test')).headers.getSetCookie()
    for (const name of names) {
      const cookie = set.find((text) => text.startsWith(`${name}=`))
      // What browsers demand of the prefix.
      expect(cookie).toMatch(/; Secure(;|$)/)
      expect(cookie).toMatch(/; Path=\/(;|$)/)
      expect(cookie).not.toMatch(/Domain=/i)
    }
    expect([...client.cookies.keys()].sort()).toEqual(['XSRF-TOKEN', ...names].sort())
    expect(await client.json('/api/users/current')).toMatchObject({ id: anna })
    const cleared = (await client.send('POST', '/api/logout')).headers.getSetCookie()
    expect(cleared.find((text) => text.startsWith(`${names[0]}=;`))).toMatch(/Path=\/.*Secure/)
    expect((await client.fetch('/api/users/current')).status).toBe(401)
  })

  it('a session that another host of the domain has planted is ignored', async () => {
    const proxied = await openProxied()
    const attacker = new SecureBrowser(proxied)
    await attacker.signIn('mallory@kustos.test')
    const planted = attacker.cookies.get(names[0]) ?? ''
    const victim = new SecureBrowser(proxied)
    victim.cookies.set('kustos_session', planted)
    expect((await victim.fetch('/api/users/current')).status).toBe(401)
    await victim.signIn('anna@kustos.test')
    victim.cookies.set('kustos_session', planted)
    expect(await victim.json('/api/users/current')).toMatchObject({ id: anna })
  })

  it('a device that was remembered under its former name stays known', async () => {
    const proxied = await openProxied()
    const before = new ApiClient(proxied)
    await before.signIn('anna@kustos.test')
    const client = new SecureBrowser(proxied)
    const former = before.cookies.get('kustos_device') ?? ''
    client.cookies.set('kustos_device', former)
    await client.signIn('anna@kustos.test')
    const idOf = (cookie = '') => cookie.split('.')[0]
    expect(idOf(client.cookies.get(names[1]))).toBe(idOf(former))
  })

  it('without HTTPS, the cookies have their plain names', async () => {
    const client = new ApiClient(await openProxied())
    await client.signIn('anna@kustos.test')
    expect([...client.cookies.keys()].sort()).toEqual(['XSRF-TOKEN', 'kustos_device', 'kustos_session'])
  })
})
