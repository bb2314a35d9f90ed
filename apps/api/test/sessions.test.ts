import { type OwnSession, unattendedHeader } from '@kustos/contract/auth'
import { eventsPath } from '@kustos/contract/events'
import { logEntries, sessions } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
let clock = Date.parse('2026-11-20T12:00:00Z')
const origin = await listen(database, { now: () => new Date(clock), trustProxy: ['127.0.0.1'] })
const anna = await createUser(database, 'anna@kustos.test', [])
const bert = await createUser(database, 'bert@kustos.test', [])

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

beforeEach(async () => {
  clock += 40 * day
  await db.delete(sessions)
})

/** A client with a user agent and an address. */
class Browser extends ApiClient {
  readonly identity: Record<string, string>

  constructor(userAgent: string, address: string) {
    super(origin)
    this.identity = { 'user-agent': userAgent, 'x-forwarded-for': address }
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return super.fetch(path, {
      ...init,
      headers: { ...this.identity, ...Object.fromEntries(new Headers(init.headers)) },
    })
  }
}

async function openBrowser(userAgent: string, address: string, remember = false): Promise<Browser> {
  const client = new Browser(userAgent, address)
  const response = await client.signIn('anna@kustos.test', undefined, remember)
  if (response.status !== 204) throw new Error(`Not signed in: ${response.status}`)
  return client
}

const listSessions = (client: ApiClient) => client.json<OwnSession[]>('/api/sessions')
const isSignedIn = async (client: ApiClient) => (await client.fetch('/api/users/current')).status === 200
const readLastEntry = async () =>
  (await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1))[0]
const at = (time: number) => new Date(time).toISOString()

describe('the list of own sessions', () => {
  it('shows the address and the times of each session, the latest first', async () => {
    const started = clock
    const phone = await openBrowser('Phone/1', '198.51.100.1', true)
    clock += 10 * minute
    const desk = await openBrowser('Desk/2', '2001:db8::2')
    await signIn(origin, 'bert@kustos.test')
    expect(await listSessions(desk)).toEqual([
      {
        id: expect.any(Number),
        is_current: true,
        remembered: false,
        address: '2001:db8::2',
        user_agent: 'Desk/2',
        created_at: at(clock),
        last_seen_at: at(clock),
        expires_at: at(clock + 8 * hour),
      },
      {
        id: expect.any(Number),
        is_current: false,
        remembered: true,
        address: '198.51.100.1',
        user_agent: 'Phone/1',
        created_at: at(started),
        last_seen_at: at(started),
        expires_at: at(started + 30 * day),
      },
    ])
    clock += 2 * minute
    expect(await listSessions(phone)).toMatchObject([
      { is_current: true, user_agent: 'Phone/1' },
      { is_current: false },
    ])
  })

  it('updates the address of a session at most once a minute', async () => {
    const client = await openBrowser('Phone/1', '198.51.100.1')
    Object.assign(client.identity, { 'user-agent': 'Phone/2', 'x-forwarded-for': '198.51.100.9' })
    expect(await listSessions(client)).toMatchObject([{ address: '198.51.100.1', user_agent: 'Phone/1' }])
    clock += minute + 1
    expect(await listSessions(client)).toMatchObject([
      { address: '198.51.100.9', user_agent: 'Phone/2', last_seen_at: at(clock) },
    ])
  })

  it('truncates the User-Agent', async () => {
    const client = await openBrowser(`A\tB${'x'.repeat(1000)}`, '198.51.100.1')
    const [session] = await listSessions(client)
    expect(session?.user_agent).toBe(`AB${'x'.repeat(398)}`)
  })

  it('leaves out expired sessions', async () => {
    await openBrowser('Old', '198.51.100.1')
    clock += 8 * hour + 1
    expect(await listSessions(await openBrowser('New', '198.51.100.1'))).toHaveLength(1)
  })

  it('contains no session id', async () => {
    const client = await openBrowser('Phone', '198.51.100.1')
    const [row] = await db.select().from(sessions).where(eq(sessions.user_id, anna))
    const text = JSON.stringify(await listSessions(client))
    expect(text).not.toContain(row?.id)
    expect(text).not.toContain(decodeURIComponent(client.cookies.get('kustos_session') ?? '').split('.')[0])
  })
})

describe('a session', () => {
  it('lasts eight hours if only an unattended screen makes requests', async () => {
    const desk = await openBrowser('Desk', '198.51.100.1')
    for (let request = 0; request < 4; request++) {
      clock += 2 * hour - 1
      const { status } = await desk.fetch('/api/users/current', { headers: { [unattendedHeader]: '1' } })
      expect(status).toBe(200)
    }
    clock += 5
    expect(await isSignedIn(desk)).toBe(false)
  })

  it('lasts eight hours if only the event stream of a screen connects again and again', async () => {
    const desk = await openBrowser('Desk', '198.51.100.1')
    for (let request = 0; request < 4; request++) {
      clock += 2 * hour - 1
      const disconnect = new AbortController()
      const { status } = await desk.fetch(eventsPath, { signal: disconnect.signal })
      disconnect.abort()
      expect(status).toBe(200)
    }
    clock += 5
    expect(await isSignedIn(desk)).toBe(false)
  })

  it('is used by a change, even if the request says that nobody is there', async () => {
    const desk = await openBrowser('Desk', '198.51.100.1')
    Object.assign(desk.identity, { 'user-agent': 'Thief/1', 'x-forwarded-for': '203.0.113.9' })
    clock += 2 * minute
    const { status } = await desk.send('DELETE', '/api/sessions', undefined, { [unattendedHeader]: '1' })
    expect(status).toBe(204)
    expect(await db.select().from(sessions)).toMatchObject([
      { address: '203.0.113.9', user_agent: 'Thief/1', last_seen_at: new Date(clock) },
    ])
  })

  it('shows another browser that uses it, even if its requests say that nobody is there', async () => {
    const desk = await openBrowser('Desk', '198.51.100.1')
    const [{ expires_at: expiry } = expect.fail()] = await db.select().from(sessions)
    Object.assign(desk.identity, { 'user-agent': 'Thief/1', 'x-forwarded-for': '203.0.113.9' })
    clock += 2 * minute
    await desk.fetch('/api/users/current', { headers: { [unattendedHeader]: '1' } })
    expect(await db.select().from(sessions)).toMatchObject([
      { address: '203.0.113.9', user_agent: 'Thief/1', last_seen_at: new Date(clock), expires_at: expiry },
    ])
  })

  it('lasts at most thirty days from sign-in, even if used every hour', async () => {
    const client = await openBrowser('Phone', '198.51.100.1')
    const until = clock + 30 * day
    for (clock += 7 * hour; clock < until; clock += 7 * hour) {
      expect([at(clock), await isSignedIn(client)]).toEqual([at(clock), true])
    }
    clock = until - 1
    expect(await isSignedIn(client)).toBe(true)
    clock = until
    expect(await isSignedIn(client)).toBe(false)
  })

  it('lasts exactly thirty days if remembered, used or not', async () => {
    const [used, unused] = [
      await openBrowser('Used', '198.51.100.1', true),
      await openBrowser('Unused', '198.51.100.2', true),
    ]
    const until = clock + 30 * day
    clock += 20 * day
    expect(await isSignedIn(used)).toBe(true)
    clock = until - 1
    expect([await isSignedIn(used), await isSignedIn(unused)]).toEqual([true, true])
    clock = until
    expect([await isSignedIn(used), await isSignedIn(unused)]).toEqual([false, false])
  })
})

describe('a sign-in beyond twenty sessions', () => {
  it('ends the oldest one of its user and says so in the audit log', async () => {
    const [first, second] = [
      await openBrowser('First', '198.51.100.1'),
      await openBrowser('Second', '198.51.100.2'),
    ]
    const other = await signIn(origin, 'bert@kustos.test')
    for (let more = 3; more <= 20; more++) {
      clock += 1_000
      await openBrowser(`Browser ${more}`, '198.51.100.3')
    }
    expect(await db.$count(sessions, eq(sessions.user_id, anna))).toBe(20)
    // The oldest is that of the first sign-in, even if it was used last.
    clock += 2 * minute
    expect(await isSignedIn(first)).toBe(true)
    await openBrowser('Browser 21', '198.51.100.4')
    expect(await db.$count(sessions, eq(sessions.user_id, anna))).toBe(20)
    expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(other)]).toEqual([
      false,
      true,
      true,
    ])
    const entries = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(2)
    expect(entries).toMatchObject([
      { log_name: 'auth', description: 'signed in', causer_id: anna },
      {
        log_name: 'auth',
        description: 'session ended',
        causer_id: anna,
        subject_id: anna,
        properties: { old: { address: '198.51.100.1', user_agent: 'First' } },
      },
    ])
  })

  it('leaves twenty, however many sign in at once', async () => {
    for (let count = 1; count <= 19; count++) await openBrowser(`Browser ${count}`, '198.51.100.1')
    await Promise.all(Array.from({ length: 4 }, () => openBrowser('Together', '198.51.100.2')))
    expect(await db.$count(sessions, eq(sessions.user_id, anna))).toBe(20)
  })
})

describe('ending sessions', () => {
  it('ends one immediately and logs it', async () => {
    const [here, there] = [
      await openBrowser('Here', '198.51.100.1'),
      await openBrowser('There', '198.51.100.2'),
    ]
    const other = (await listSessions(here)).find((session) => !session.is_current)
    expect((await here.send('DELETE', `/api/sessions/${other?.id}`)).status).toBe(204)
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
    expect(await readLastEntry()).toMatchObject({
      log_name: 'auth',
      description: 'session ended',
      subject_type: 'user',
      subject_id: anna,
      causer_id: anna,
      properties: { old: { address: '198.51.100.2', user_agent: 'There' } },
    })
    expect((await here.send('DELETE', `/api/sessions/${other?.id}`)).status).toBe(404)
  })

  it('ends the current one like a sign-out', async () => {
    const here = await openBrowser('Here', '198.51.100.1')
    const [session] = await listSessions(here)
    expect((await here.send('DELETE', `/api/sessions/${session?.id}`)).status).toBe(204)
    expect([...here.cookies.keys()]).toEqual(['kustos_device'])
    expect(await db.$count(sessions)).toBe(0)
    expect(await readLastEntry()).toMatchObject({ description: 'signed out', causer_id: anna })
  })

  it('ends all other sessions of the user immediately', async () => {
    const here = await openBrowser('Here', '198.51.100.1')
    const others = [await openBrowser('A', '198.51.100.2'), await openBrowser('B', '198.51.100.3', true)]
    const bystander = await signIn(origin, 'bert@kustos.test')
    expect((await here.send('DELETE', '/api/sessions')).status).toBe(204)
    expect(await Promise.all([here, ...others, bystander].map(isSignedIn))).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(await readLastEntry()).toMatchObject({
      log_name: 'auth',
      description: 'other sessions ended',
      subject_id: anna,
      causer_id: anna,
      properties: { attributes: { sessions: 2 } },
    })
    const entries = await db.$count(logEntries)
    expect((await here.send('DELETE', '/api/sessions')).status).toBe(204)
    expect(await db.$count(logEntries)).toBe(entries)
  })

  it("does not find another user's, an expired or an unknown one", async () => {
    const expired = await openBrowser('Old', '198.51.100.1')
    const [old] = await listSessions(expired)
    clock += 8 * hour + 1
    const here = await openBrowser('Here', '198.51.100.1')
    await signIn(origin, 'bert@kustos.test')
    const [foreign] = await db.select().from(sessions).where(eq(sessions.user_id, bert))
    for (const id of [foreign?.number, old?.id, 2_000_000_000, 'none', 0]) {
      expect([id, (await here.send('DELETE', `/api/sessions/${id}`)).status]).toEqual([id, 404])
    }
    expect(await db.$count(sessions, eq(sessions.user_id, bert))).toBe(1)
  })

  it('requires a sign-in', async () => {
    const nobody = new ApiClient(origin)
    await nobody.fetch('/sanctum/csrf-cookie')
    expect((await nobody.fetch('/api/sessions')).status).toBe(401)
    expect((await nobody.send('DELETE', '/api/sessions')).status).toBe(401)
    expect((await nobody.send('DELETE', '/api/sessions/1')).status).toBe(401)
  })
})

it('the end of a session is not undone by a concurrent request', async () => {
  for (let round = 0; round < 10; round++) {
    const [here, there] = [
      await openBrowser('Here', '198.51.100.1'),
      await openBrowser('There', '198.51.100.2'),
    ]
    clock += minute + 1
    await Promise.all([
      here.send('DELETE', '/api/sessions'),
      ...Array.from({ length: 5 }, () => there.fetch('/api/users/current')),
    ])
    expect(await isSignedIn(there)).toBe(false)
    await here.send('POST', '/api/logout')
  }
})
