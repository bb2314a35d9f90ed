import { logEntries, sessions, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { hashPassword } from '@kustos/domain/auth'
import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createUser, listen, password, signedIn, Visitor } from './visitor.ts'

const database = await testDatabase()
const { db } = database
let clock = Date.parse('2026-11-20T12:00:00Z')
const origin = await listen(database, { now: () => new Date(clock) })
const anna = await createUser(database, 'Anna@kustos.test', ['view webs'])

/** So that no test meets the limits that another used up. */
const nextDay = () => {
  clock += 24 * 3600 * 1000
}

describe('the CSRF cookie', () => {
  it('is set together with the session, readable and encoded', async () => {
    const visitor = new Visitor(origin)
    const answer = await visitor.fetch('/sanctum/csrf-cookie')
    expect(answer.status).toBe(204)
    const [session, token] = ['kustos_session', 'XSRF-TOKEN'].map((name) =>
      answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`)),
    )
    expect(session).toMatch(/HttpOnly/)
    expect(session).toMatch(/SameSite=Lax/i)
    expect(session).not.toMatch(/Secure|Expires/)
    expect(token).toMatch(/^XSRF-TOKEN=[\w%]+%3D;/)
    expect(token).not.toMatch(/HttpOnly/)
  })

  it('comes as often as it is asked for without a row in the database, and stays the same for a session', async () => {
    const rows = await db.$count(sessions)
    const visitor = new Visitor(origin)
    await visitor.fetch('/sanctum/csrf-cookie')
    const [session, token] = [visitor.cookies.get('kustos_session'), visitor.cookies.get('XSRF-TOKEN')]
    for (let asked = 0; asked < 20; asked++) await new Visitor(origin).fetch('/sanctum/csrf-cookie')
    await visitor.fetch('/sanctum/csrf-cookie')
    expect(visitor.cookies.get('XSRF-TOKEN')).toBe(token)
    expect(visitor.cookies.get('kustos_session')).toBe(session)
    await visitor.send('POST', '/api/login', { email: 'nobody@kustos.test', password: 'wrong' })
    expect(await db.$count(sessions)).toBe(rows)
  })

  it.each([
    ['missing', undefined],
    ['wrong', 'nonsense'],
    ["another session's", 'other'],
  ])('is demanded: a %s token gives 419', async (_, token) => {
    const other = new Visitor(origin)
    await other.fetch('/sanctum/csrf-cookie')
    const visitor = new Visitor(origin)
    await visitor.fetch('/sanctum/csrf-cookie')
    const sent = token === 'other' ? decodeURIComponent(other.cookies.get('XSRF-TOKEN') ?? '') : token
    const answer = await visitor.fetch('/api/login', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', ...(sent !== undefined && { 'x-xsrf-token': sent }) },
    })
    expect(answer.status).toBe(419)
    expect(await answer.json()).toEqual({ message: 'CSRF token mismatch.' })
  })

  it('is Secure behind a trusted HTTPS proxy', async () => {
    const behind = await listen(database, { trustProxy: ['127.0.0.1'] })
    const answer = await fetch(`${behind}/sanctum/csrf-cookie`, { headers: { 'x-forwarded-proto': 'https' } })
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/Secure/)
  })
})

describe('signing in', () => {
  it('gives a new session id, and the former one is worth nothing', async () => {
    const visitor = new Visitor(origin)
    await visitor.fetch('/sanctum/csrf-cookie')
    const before = visitor.cookies.get('kustos_session')
    expect((await visitor.signIn('anna@KUSTOS.test')).status).toBe(204)
    expect(visitor.cookies.get('kustos_session')).not.toBe(before)
    expect(await visitor.json('/api/users/current')).toMatchObject({
      id: anna,
      email: 'Anna@kustos.test',
      permissions: ['view webs'],
      roles: [{ name: 'role of Anna@kustos.test' }],
    })
    const stolen = await fetch(`${origin}/api/users/current`, {
      headers: { cookie: `kustos_session=${before}` },
    })
    expect(stolen.status).toBe(401)
  })

  it('lasts for the browser session, or 30 days with remember', async () => {
    nextDay()
    const brief = await new Visitor(origin).signIn('anna@kustos.test')
    expect(brief.headers.getSetCookie().join()).not.toMatch(/Expires|Max-Age/)
    const visitor = new Visitor(origin)
    const long = await visitor.signIn('anna@kustos.test', password, true)
    expect(long.headers.getSetCookie().join()).toMatch(/Max-Age=2592000|Expires=/)
    const [row] = await db.select().from(sessions).where(eq(sessions.remembered, true))
    expect(row?.expires_at.getTime()).toBe(clock + 30 * 24 * 3600 * 1000)
  })

  it('without remember is brief, also after one that was remembered', async () => {
    nextDay()
    const visitor = new Visitor(origin)
    await visitor.signIn('anna@kustos.test', password, true)
    const brief = await visitor.signIn('anna@kustos.test')
    expect(brief.headers.getSetCookie().join()).not.toMatch(/Expires|Max-Age/)
    const [newest] = await db
      .select()
      .from(sessions)
      .orderBy(desc(sessions.created_at), desc(sessions.last_seen_at))
    expect(newest?.remembered).toBe(false)
  })

  it('ends after eight idle hours, and use keeps it alive', async () => {
    nextDay()
    const visitor = await signedIn(origin, 'anna@kustos.test')
    clock += 7 * 3600 * 1000
    expect((await visitor.fetch('/api/users/current')).status).toBe(200)
    clock += 7 * 3600 * 1000
    expect((await visitor.fetch('/api/users/current')).status).toBe(200)
    clock += 8 * 3600 * 1000 + 1
    expect((await visitor.fetch('/api/users/current')).status).toBe(401)
  })

  it('refuses a wrong password, an unknown and a deleted user alike', async () => {
    nextDay()
    const gone = await createUser(database, 'gone@kustos.test', [])
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, gone))
    const answers = await Promise.all([
      new Visitor(origin).signIn('anna@kustos.test', 'wrong password'),
      new Visitor(origin).signIn('nobody@kustos.test'),
      new Visitor(origin).signIn('gone@kustos.test'),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(await answer.json()).toEqual({ message: 'Credentials not valid! Try again...' })
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
  ])('names the fields of a malformed body %j', async (body, errors) => {
    const visitor = new Visitor(origin)
    await visitor.fetch('/sanctum/csrf-cookie')
    const answer = await visitor.send('POST', '/api/login', body)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ errors })
  })

  it('takes a password however a keyboard writes it, and one that was kept as it was typed', async () => {
    nextDay()
    const composed = 'für alle Fälle \u00e9'
    const decomposed = composed.normalize('NFD')
    const bert = await createUser(database, 'bert@kustos.test', [])
    const entering = async (given: string) =>
      (await new Visitor(origin).signIn('bert@kustos.test', given)).status
    await db
      .update(users)
      .set({ password_hash: await hashPassword(decomposed) })
      .where(eq(users.id, bert))
    expect([await entering(composed), await entering(decomposed)]).toEqual([204, 204])
    // As releases before kept it: not normalised.
    const former =
      '$argon2id$v=19$m=1024,p=1,t=2$USKS4HOxB+Qqd8gf4hMRxw$lIMP5POAixsKxA5vvmjC3nYlgPvje/M5M60eAbZ+dj4'
    await db.update(users).set({ password_hash: former }).where(eq(users.id, bert))
    expect(await entering(decomposed)).toBe(204)
    expect(await entering('für alle Faelle')).toBe(401)
  })

  it('writes the log, and no password into it', async () => {
    nextDay()
    await signedIn(origin, 'anna@kustos.test')
    await new Visitor(origin).signIn('anna@kustos.test', 'a secret typed wrong')
    const [refused, entered] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(2)
    expect(entered).toMatchObject({
      log_name: 'auth',
      description: 'signed in',
      causer_id: anna,
      subject_id: anna,
    })
    expect(refused).toMatchObject({ description: 'sign-in refused', causer_id: null })
    const log = JSON.stringify(await db.select().from(logEntries))
    expect(log).not.toContain('a secret typed wrong')
    expect(log).not.toContain(password)
  })
})

describe('the limits of signing in', () => {
  it('allow five failures a minute, and then not even the right password', async () => {
    nextDay()
    for (let failure = 0; failure < 5; failure++) {
      expect((await new Visitor(origin).signIn('anna@kustos.test', 'wrong')).status).toBe(401)
    }
    const answer = await new Visitor(origin).signIn('ANNA@kustos.test')
    expect(answer.status).toBe(429)
    expect(await answer.json()).toEqual({ message: 'Too Many Attempts.' })
    expect(answer.headers.get('retry-after')).toBe('60')
    clock += 60_000
    expect((await new Visitor(origin).signIn('anna@kustos.test')).status).toBe(204)
  })

  it('let no more than five of twenty guesses at once through', async () => {
    nextDay()
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => new Visitor(origin).signIn('anna@kustos.test', `guess ${n}`)),
    )
    expect(guesses.map((guess) => guess.status).sort()).toEqual([
      ...Array(5).fill(401),
      ...Array(15).fill(429),
    ])
  })

  it('allow fifty failures an hour over all addresses', async () => {
    nextDay()
    const behind = await listen(database, { trustProxy: ['127.0.0.1'], now: () => new Date(clock) })
    const from = async (address: number, given: string) => {
      const visitor = new Visitor(behind)
      await visitor.fetch('/sanctum/csrf-cookie')
      const body = { email: 'anna@kustos.test', password: given }
      return visitor.send('POST', '/api/login', body, { 'x-forwarded-for': `198.51.100.${address}` })
    }
    const failures = await Promise.all(Array.from({ length: 50 }, (_, address) => from(address, 'wrong')))
    expect(failures.every((answer) => answer.status === 401)).toBe(true)
    expect((await from(60, password)).status).toBe(429)
  })
})

describe('signing out', () => {
  it('ends the session on the server, so that its cookie cannot be replayed', async () => {
    nextDay()
    const visitor = await signedIn(origin, 'anna@kustos.test')
    const cookie = `kustos_session=${visitor.cookies.get('kustos_session')}`
    expect((await visitor.send('POST', '/api/logout')).status).toBe(204)
    expect(visitor.cookies.size).toBe(0)
    const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
    expect(entry).toMatchObject({ log_name: 'auth', description: 'signed out', causer_id: anna })
    const replayed = await fetch(`${origin}/api/users/current`, { headers: { cookie } })
    expect(replayed.status).toBe(401)
    expect(await replayed.json()).toEqual({ message: 'Unauthenticated.' })
  })

  it('needs a session', async () => {
    const visitor = new Visitor(origin)
    await visitor.fetch('/sanctum/csrf-cookie')
    expect((await visitor.send('POST', '/api/logout')).status).toBe(401)
  })
})

it('keeps no session id in the database', async () => {
  nextDay()
  const visitor = await signedIn(origin, 'anna@kustos.test')
  const cookie = decodeURIComponent(visitor.cookies.get('kustos_session') ?? '')
  const [id = '-'] = cookie.split('.')
  expect(JSON.stringify(await db.select().from(sessions))).not.toContain(id)
})
