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

const sessionOf = (client: ApiClient) => client.cookies.get('kustos_session') ?? ''

/** What somebody with that cookie alone is told. */
const as = async (cookie: string, at = origin) =>
  (await fetch(`${at}/api/users/current`, { headers: { cookie: `kustos_session=${cookie}` } })).status

describe('a cookie planted before sign-in', () => {
  /** Signs in as a browser does that has been given these cookies. */
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
    expect(sessionOf(victim)).not.toBe(planted.kustos_session)
    expect(await as(planted.kustos_session ?? '')).toBe(401)
    expect(await as(sessionOf(victim))).toBe(200)
  })

  it('of another signed-in user ends with the sign-in', async () => {
    const attacker = await signIn(origin, 'mallory@kustos.test')
    const planted = sessionOf(attacker)
    const victim = await signInWith(Object.fromEntries(attacker.cookies))
    expect(await as(planted)).toBe(401)
    expect(await victim.json('/api/users/current')).toMatchObject({ id: anna })
  })

  it.each(['abcdef', `${'a'.repeat(32)}.${'b'.repeat(43)}`, 'null', '1.'])(
    'without a valid one (%s) never becomes a session id',
    async (planted) => {
      const client = await signInWith({ kustos_session: planted, 'XSRF-TOKEN': 'mine' })
      expect(sessionOf(client)).not.toContain(planted)
      expect(decodeURIComponent(client.cookies.get('XSRF-TOKEN') ?? '')).not.toBe('mine')
      expect(await as(planted)).toBe(401)
    },
  )

  it('leaves no valid token behind', async () => {
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
      'once the user is deleted and is back',
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
      'once its row is gone, as after a look for expired ones',
      async () => db.delete(sessions).where(eq(sessions.user_id, anna)),
    ],
  ])('%s', async (_, end) => {
    const client = await signIn(origin, 'anna@kustos.test')
    const copied = sessionOf(client)
    const token = decodeURIComponent(client.cookies.get('XSRF-TOKEN') ?? '')
    expect(await as(copied)).toBe(200)
    await end(client)
    expect(await as(copied)).toBe(401)
    const change = await fetch(`${origin}/api/users/${anna}`, {
      method: 'PUT',
      headers: {
        cookie: `kustos_session=${copied}`,
        'x-xsrf-token': token,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    // Its token went with it.
    expect(change.status).toBe(419)
  })

  it('after another process ended its session', async () => {
    const other = await listen(database, { now })
    const client = await signIn(origin, 'anna@kustos.test')
    const there = new ApiClient(other)
    for (const [name, value] of client.cookies) there.cookies.set(name, value)
    const copied = sessionOf(client)
    expect(await as(copied, other)).toBe(200)
    expect((await there.send('POST', '/api/logout')).status).toBe(204)
    expect(await as(copied)).toBe(401)
  })

  it('after the signing secret changed', async () => {
    const client = await signIn(origin, 'anna@kustos.test')
    const renewed = await listen(database, { now, sessionSecret: 't'.repeat(32) })
    expect(await as(sessionOf(client), renewed)).toBe(401)
    expect(await as(sessionOf(client))).toBe(200)
  })
})

it('rejects a tampered cookie', async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  const whole = decodeURIComponent(sessionOf(client))
  const [id = '', signature = ''] = [
    whole.slice(0, whole.lastIndexOf('.')),
    whole.slice(whole.lastIndexOf('.') + 1),
  ]
  const signed = (text: string, secret: string, algorithm = 'sha256') =>
    `${text}.${createHmac(algorithm, secret).update(text).digest('base64').replace(/=+$/, '')}`
  expect(await as(encodeURIComponent(whole))).toBe(200)
  const forged = [
    id,
    `${id}.`,
    `.${signature}`,
    `${id}.${signature.slice(0, -1)}`,
    `${id}.${[...signature].reverse().join('')}`,
    `${id}x.${signature}`,
    `${id.slice(1)}.${signature}`,
    `${id}.${signature}.${signature}`,
    signed(id, ''),
    signed(id, 'secret'),
    signed(id, 's'.repeat(31)),
    signed(id, 's'.repeat(32), 'sha1'),
    `s:${whole}`,
    `${id}\u0000.${signature}`,
    `["${whole}"]`,
  ]
  for (const cookie of forged) expect([cookie, await as(encodeURIComponent(cookie))]).toEqual([cookie, 401])
})

it("does not accept the database's values as a cookie", async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  const rows = await db.select().from(sessions).where(eq(sessions.user_id, anna))
  for (const { id, number } of rows)
    for (const cookie of [id, String(number), `${id}.${sessionOf(client).split('.').at(-1)}`])
      expect(await as(encodeURIComponent(cookie))).toBe(401)
})
