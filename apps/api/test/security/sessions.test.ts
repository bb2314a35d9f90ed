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

describe('a copied cookie is worthless', () => {
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
      'once somebody else has set a new password',
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
  ])('%s', async (_, end) => {
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

  it('after another process has ended the session', async () => {
    const other = await listen(database, { now })
    const client = await signIn(origin, 'anna@kustos.test')
    const otherClient = new ApiClient(other)
    for (const [name, value] of client.cookies) otherClient.cookies.set(name, value)
    const copied = readSessionCookie(client)
    expect(await requestWith(copied, other)).toBe(200)
    expect((await otherClient.send('POST', '/api/logout')).status).toBe(204)
    expect(await requestWith(copied)).toBe(401)
  })

  it('after the signing secret has changed', async () => {
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
