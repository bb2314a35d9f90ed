import { logEntries, sessions, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { hashPassword } from '@kustos/domain/auth'
import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from './api-client.ts'
import { advanceClock, stopClock } from './stopped-clock.ts'

const database = await testDatabase()
const { db } = database
stopClock('2026-11-20T12:00:00Z')
const origin = await listen(database)
const anna = await createUser(database, 'Anna@kustos.test', ['view webs'])

/** Resets the sign-in limits, which earlier tests used up. */
const advanceDay = () => {
  advanceClock(24 * 3600 * 1000)
}

/** The cookies of the session; that of the device outlives it. */
const sessionCookies = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .filter((cookie) => !cookie.startsWith('kustos_device='))
    .join()

describe('CSRF cookie', () => {
  it('sets the readable, encoded cookie together with the session', async () => {
    const client = new ApiClient(origin)
    const response = await client.fetch('/sanctum/csrf-cookie')
    expect(response.status).toBe(204)
    const [session, token] = ['kustos_session', 'XSRF-TOKEN'].map((name) =>
      response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`)),
    )
    expect(session).toMatch(/HttpOnly/)
    expect(session).toMatch(/SameSite=Lax/i)
    expect(session).not.toMatch(/Secure|Expires/)
    expect(token).toMatch(/^XSRF-TOKEN=[\w%]+%3D;/)
    expect(token).not.toMatch(/HttpOnly/)
  })

  it('stores no session for repeated requests and keeps the token of a client', async () => {
    const rows = await db.$count(sessions)
    const client = new ApiClient(origin)
    await client.fetch('/sanctum/csrf-cookie')
    const [session, token] = [client.cookies.get('kustos_session'), client.cookies.get('XSRF-TOKEN')]
    for (let request = 0; request < 20; request++) await new ApiClient(origin).fetch('/sanctum/csrf-cookie')
    await client.fetch('/sanctum/csrf-cookie')
    expect(client.cookies.get('XSRF-TOKEN')).toBe(token)
    expect(client.cookies.get('kustos_session')).toBe(session)
    await client.send('POST', '/api/login', { email: 'nobody@kustos.test', password: 'wrong' })
    expect(await db.$count(sessions)).toBe(rows)
  })

  it.each([
    ['missing', undefined],
    ['wrong', 'nonsense'],
    ["another session's", 'other'],
  ])('rejects a %s token with 419', async (_, token) => {
    const other = new ApiClient(origin)
    await other.fetch('/sanctum/csrf-cookie')
    const client = new ApiClient(origin)
    await client.fetch('/sanctum/csrf-cookie')
    const sent = token === 'other' ? decodeURIComponent(other.cookies.get('XSRF-TOKEN') ?? '') : token
    const response = await client.fetch('/api/login', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', ...(sent !== undefined && { 'x-xsrf-token': sent }) },
    })
    expect(response.status).toBe(419)
    expect(await response.json()).toEqual({ message: 'CSRF token mismatch.', code: 'csrf_mismatch' })
  })

  it('marks the cookie Secure behind a trusted HTTPS proxy', async () => {
    const proxied = await listen(database, { trustProxy: ['127.0.0.1'] })
    const response = await fetch(`${proxied}/sanctum/csrf-cookie`, {
      headers: { 'x-forwarded-proto': 'https' },
    })
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/Secure/)
  })
})

describe('sign-in', () => {
  it('creates a new session id and invalidates the previous one', async () => {
    const client = new ApiClient(origin)
    await client.fetch('/sanctum/csrf-cookie')
    const before = client.cookies.get('kustos_session')
    expect((await client.signIn('anna@KUSTOS.test')).status).toBe(204)
    expect(client.cookies.get('kustos_session')).not.toBe(before)
    expect(await client.json('/api/users/current')).toMatchObject({
      id: anna,
      email: 'Anna@kustos.test',
      permissions: ['view webs'],
      roles: [{ name: 'role of Anna@kustos.test' }],
    })
    const replayed = await fetch(`${origin}/api/users/current`, {
      headers: { cookie: `kustos_session=${before}` },
    })
    expect(replayed.status).toBe(401)
  })

  it('lasts for the browser session, or 30 days with remember', async () => {
    advanceDay()
    const brief = await new ApiClient(origin).signIn('anna@kustos.test')
    expect(sessionCookies(brief)).not.toMatch(/Expires|Max-Age/)
    const client = new ApiClient(origin)
    const long = await client.signIn('anna@kustos.test', password, true)
    expect(sessionCookies(long)).toMatch(/Max-Age=2592000|Expires=/)
    const [row] = await db.select().from(sessions).where(eq(sessions.remembered, true))
    expect(row?.expires_at.getTime()).toBe(Date.now() + 30 * 24 * 3600 * 1000)
  })

  it('creates a short session without remember, even after a remembered one', async () => {
    advanceDay()
    const client = new ApiClient(origin)
    await client.signIn('anna@kustos.test', password, true)
    const brief = await client.signIn('anna@kustos.test')
    expect(sessionCookies(brief)).not.toMatch(/Expires|Max-Age/)
    const [latest] = await db
      .select()
      .from(sessions)
      .orderBy(desc(sessions.created_at), desc(sessions.last_seen_at))
    expect(latest?.remembered).toBe(false)
  })

  it('ends after eight idle hours, not while it is used', async () => {
    advanceDay()
    const client = await signIn(origin, 'anna@kustos.test')
    advanceClock(7 * 3600 * 1000)
    expect((await client.fetch('/api/users/current')).status).toBe(200)
    advanceClock(7 * 3600 * 1000)
    expect((await client.fetch('/api/users/current')).status).toBe(200)
    advanceClock(8 * 3600 * 1000 + 1)
    expect((await client.fetch('/api/users/current')).status).toBe(401)
  })

  it('gives the same response for a wrong password, an unknown and a deleted user', async () => {
    advanceDay()
    const deleted = await createUser(database, 'deleted@kustos.test', [])
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, deleted))
    const responses = await Promise.all([
      new ApiClient(origin).signIn('anna@kustos.test', 'wrong password'),
      new ApiClient(origin).signIn('nobody@kustos.test'),
      new ApiClient(origin).signIn('deleted@kustos.test'),
    ])
    for (const response of responses) {
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({
        message: 'Credentials not valid! Try again...',
        code: 'credentials_not_valid',
      })
    }
  })

  it.each([
    [{}, { email: ['E-Mail is required'], password: ['Password is required'] }],
    [
      { email: '', password: '' },
      { email: ['E-Mail is required'], password: ['Password is required'] },
    ],
    [{ email: 'anna', password: 'x' }, { email: ['E-Mail must be valid'] }],
    [
      { email: 7, password: ['x'] },
      { email: ['E-Mail is required'], password: ['Password is required'] },
    ],
  ])('names the invalid fields of %j', async (body, errors) => {
    const client = new ApiClient(origin)
    await client.fetch('/sanctum/csrf-cookie')
    const response = await client.send('POST', '/api/login', body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors })
  })

  it('accepts a password in any Unicode normalisation, including hashes of unnormalised ones', async () => {
    advanceDay()
    const composed = 'für alle Fälle \u00e9'
    const decomposed = composed.normalize('NFD')
    const bert = await createUser(database, 'bert@kustos.test', [])
    const trySignIn = async (secret: string) =>
      (await new ApiClient(origin).signIn('bert@kustos.test', secret)).status
    await db
      .update(users)
      .set({ password_hash: await hashPassword(decomposed) })
      .where(eq(users.id, bert))
    expect([await trySignIn(composed), await trySignIn(decomposed)]).toEqual([204, 204])
    // Earlier releases hashed passwords without normalisation.
    const former =
      '$argon2id$v=19$m=1024,p=1,t=2$USKS4HOxB+Qqd8gf4hMRxw$lIMP5POAixsKxA5vvmjC3nYlgPvje/M5M60eAbZ+dj4'
    await db.update(users).set({ password_hash: former }).where(eq(users.id, bert))
    expect(await trySignIn(decomposed)).toBe(204)
    expect(await trySignIn('für alle Faelle')).toBe(401)
  })

  it('adds an audit entry without the password', async () => {
    advanceDay()
    await signIn(origin, 'anna@kustos.test')
    await new ApiClient(origin).signIn('anna@kustos.test', 'a secret typed wrong')
    const [rejected, signedIn] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(2)
    expect(signedIn).toMatchObject({
      log_name: 'auth',
      description: 'signed in',
      causer_id: anna,
      subject_id: anna,
    })
    expect(rejected).toMatchObject({ description: 'sign-in refused', causer_id: null })
    const log = JSON.stringify(await db.select().from(logEntries))
    expect(log).not.toContain('a secret typed wrong')
    expect(log).not.toContain(password)
  })
})

describe('sign-in limits', () => {
  it('allow five failures per minute, then reject even the right password', async () => {
    advanceDay()
    for (let failure = 0; failure < 5; failure++) {
      expect((await new ApiClient(origin).signIn('anna@kustos.test', 'wrong')).status).toBe(401)
    }
    const response = await new ApiClient(origin).signIn('ANNA@kustos.test')
    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({ message: 'Too Many Attempts.', code: 'too_many_attempts' })
    expect(response.headers.get('retry-after')).toBe('60')
    advanceClock(60_000)
    expect((await new ApiClient(origin).signIn('anna@kustos.test')).status).toBe(204)
  })

  it('check at most five of twenty simultaneous guesses', async () => {
    advanceDay()
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => new ApiClient(origin).signIn('anna@kustos.test', `guess ${n}`)),
    )
    expect(guesses.map((guess) => guess.status).sort()).toEqual([
      ...Array(5).fill(401),
      ...Array(15).fill(429),
    ])
  })

  it('allow fifty failures per hour over all addresses', async () => {
    advanceDay()
    const proxied = await listen(database, { trustProxy: ['127.0.0.1'] })
    const signInFrom = async (address: number, secret: string) => {
      const client = new ApiClient(proxied)
      await client.fetch('/sanctum/csrf-cookie')
      const body = { email: 'anna@kustos.test', password: secret }
      return client.send('POST', '/api/login', body, { 'x-forwarded-for': `198.51.100.${address}` })
    }
    const failures = await Promise.all(
      Array.from({ length: 50 }, (_, address) => signInFrom(address, 'wrong')),
    )
    expect(failures.every((response) => response.status === 401)).toBe(true)
    expect((await signInFrom(60, password)).status).toBe(429)
  })
})

describe('sign-out', () => {
  it('ends the session on the server, so that its cookie cannot be replayed', async () => {
    advanceDay()
    const client = await signIn(origin, 'anna@kustos.test')
    const cookie = `kustos_session=${client.cookies.get('kustos_session')}`
    expect((await client.send('POST', '/api/logout')).status).toBe(204)
    expect([...client.cookies.keys()]).toEqual(['kustos_device'])
    const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
    expect(entry).toMatchObject({ log_name: 'auth', description: 'signed out', causer_id: anna })
    const replayed = await fetch(`${origin}/api/users/current`, { headers: { cookie } })
    expect(replayed.status).toBe(401)
    expect(await replayed.json()).toEqual({ message: 'Unauthenticated.', code: 'unauthenticated' })
  })

  it('is logged of a user whose session another sign-in in the browser replaces', async () => {
    advanceDay()
    const client = await signIn(origin, 'anna@kustos.test')
    const bea = await createUser(database, 'bea@kustos.test', [])
    expect((await client.signIn('bea@kustos.test')).status).toBe(204)
    expect(await db.$count(sessions, eq(sessions.user_id, bea))).toBe(1)
    expect(await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(2)).toMatchObject([
      { description: 'signed in', subject_id: bea, causer_id: bea },
      { description: 'signed out', subject_id: anna, causer_id: anna },
    ])
  })

  it('requires a session', async () => {
    const client = new ApiClient(origin)
    await client.fetch('/sanctum/csrf-cookie')
    expect((await client.send('POST', '/api/logout')).status).toBe(401)
  })
})

it('stores no session ids in the database', async () => {
  advanceDay()
  const client = await signIn(origin, 'anna@kustos.test')
  const cookie = decodeURIComponent(client.cookies.get('kustos_session') ?? '')
  const [id = '-'] = cookie.split('.')
  expect(JSON.stringify(await db.select().from(sessions))).not.toContain(id)
})
