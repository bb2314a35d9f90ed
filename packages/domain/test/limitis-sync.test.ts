import { startRegistrarServer } from '@kustos/clients/testing/registrar-server'
import { emails, logEntries, ownDomains, registrarSyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { contextOf } from '../src/context.ts'
import { listEmails, listOwnDomains, syncRegistrar, syncRegistrarWhenDue } from '../src/limitis/index.ts'

const database = await testDatabase()
const { db, pool } = database
const { state, registrar, stop } = await startRegistrarServer()
afterAll(stop)

let now = new Date('2026-11-21T12:00:00Z')
const context = contextOf(database, null, () => now)
const pass = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}

const domain = (fqdn: string, customer = 'KÖGL', more: object = {}) => ({ fqdn, customer, ...more })
const mailbox = (address: string, type = 'mailbox') => ({ address, type, customer: 'KÖGL' })

beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00Z')
  await database.owner.db.execute(sql`truncate ${ownDomains}, ${emails}, ${registrarSyncs}`)
  Object.assign(state, {
    domains: [
      domain('a.test'),
      domain('Müller.test', 'MÜLLER', { created_at: '2019-03-01T00:00:00Z' }),
      domain('c.test.'),
    ],
    mailboxes: [mailbox('info@a.test'), mailbox('Post@Müller.test', 'forward'), mailbox('x@c.test')],
    failure: null,
    held: null,
    total: undefined,
    asked: [],
  })
})

const sync = () => syncRegistrar(context, registrar)
const domains = async () => (await listOwnDomains(context)).rows
const addresses = async () => (await listEmails(context)).rows.map(({ address }) => address)
const outcome = async () => (await db.select().from(registrarSyncs))[0]

async function told(work: () => Promise<unknown>): Promise<unknown[]> {
  const client = await pool.connect()
  try {
    const heard: unknown[] = []
    client.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '').list))
    await client.query('listen kustos')
    await work()
    await client.query('unlisten kustos')
    return heard
  } finally {
    client.removeAllListeners('notification')
    client.release()
  }
}

describe('a sync', () => {
  test('brings both lists', async () => {
    expect(await sync()).toEqual({
      domains: { entries: 3, added: 3, changed: 0, removed: 0 },
      emails: { entries: 3, added: 3, changed: 0, removed: 0 },
    })
    expect(await domains()).toMatchObject([
      { fqdn: 'a.test', customer: 'KÖGL', status: null, created_at: now.toISOString() },
      { fqdn: 'c.test' },
      { fqdn: 'müller.test', customer: 'MÜLLER', created_at: '2019-03-01T00:00:00.000Z' },
    ])
    expect(await addresses()).toEqual(['info@a.test', 'post@müller.test', 'x@c.test'])
    expect(await outcome()).toMatchObject({ succeeded_at: now, error: null })
    expect(await db.$count(logEntries)).toBe(0)
  })

  test('touches what has changed and nothing else; what name servers said of a domain stays', async () => {
    await sync()
    await db
      .update(ownDomains)
      .set({ status: 1, mname: 'ns.test', checked_at: now })
      .where(eq(ownDomains.fqdn, 'a.test'))
    const before = await domains()
    pass(60)
    expect(await told(sync)).toEqual([])
    expect(await domains()).toEqual(before)
    state.domains = [domain('xn--mller-kva.test', 'MÜLLER'), domain('a.test', 'NEU'), domain('neu.test')]
    state.mailboxes = [mailbox('info@a.test', 'forward')]
    expect(await sync()).toEqual({
      domains: { entries: 3, added: 1, changed: 2, removed: 1 },
      emails: { entries: 1, added: 0, changed: 1, removed: 2 },
    })
    expect(await domains()).toMatchObject([
      { id: before[0]?.id, fqdn: 'a.test', customer: 'NEU', status: 1, mname: 'ns.test' },
      { fqdn: 'neu.test' },
      { id: before[2]?.id, fqdn: 'xn--mller-kva.test', created_at: '2019-03-01T00:00:00.000Z' },
    ])
    expect(await addresses()).toEqual(['info@a.test'])
  })

  test('is made hourly, and sooner after a failure', async () => {
    const due = () => syncRegistrarWhenDue(context, registrar)
    expect(await due()).not.toBeNull()
    pass(59)
    expect(await due()).toBeNull()
    pass(1)
    state.failure = { list: 'domains', page: 0, status: 401 }
    await expect(due()).rejects.toMatchObject({ code: 'upstream' })
    pass(4)
    expect(await due()).toBeNull()
    state.failure = null
    pass(1)
    expect(await due()).not.toBeNull()
  })

  test('that asked earlier does not undo one that asked later', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    state.held = promise
    const early = syncRegistrar(context, registrar)
    await new Promise((done) => setTimeout(done, 50))
    state.held = null
    const later = contextOf(database, null, () => new Date(now.getTime() + 1000))
    await syncRegistrar(later, registrar)
    state.domains = [domain('alt.test')]
    resolve()
    await early
    expect(await domains()).toHaveLength(3)
  })
})

describe('the lists stay as they were', () => {
  test.each([
    [
      'dies while it tells its domains',
      { failure: { list: 'domains', page: 1, dies: true } },
      /connection broke/,
    ],
    [
      'dies while it tells its mailboxes',
      { failure: { list: 'mailboxes', page: 1, dies: true } },
      /connection broke/,
    ],
    ['is out of order', { failure: { list: 'mailboxes', page: 0, status: 503 } }, /out of order/],
    ['takes the token no more', { failure: { list: 'domains', page: 0, status: 401 } }, /LIMITIS_API_TOKEN/],
    ['answers something else', { failure: { list: 'domains', page: 0, body: '[]' } }, /cannot read/],
    ['tells half of its domains', { total: 9 }, /not whole/],
    ['has no domain any more', { domains: [] }, /no domains at all/],
    ['has no mailbox any more', { mailboxes: [] }, /no emails at all/],
    [
      'has a domain that is none',
      { domains: [domain('neu.test'), domain('no domain')] },
      /no domain: no domain/,
    ],
  ])('where the registrar %s', async (_, what, error) => {
    await sync()
    const before = [await domains(), await addresses()]
    pass(90)
    // Whatever it tells would be new.
    Object.assign(state, { domains: [domain('neu.test'), domain('neu-2.test'), domain('neu-3.test')] }, what)
    const heard = await told(() =>
      expect(sync()).rejects.toMatchObject({ code: 'upstream', message: expect.stringMatching(error) }),
    )
    expect([await domains(), await addresses()]).toEqual(before)
    expect(await outcome()).toMatchObject({ failed_at: now, error: expect.stringMatching(error) })
    // Screens hear that their lists are stale.
    expect(heard).toEqual(['own_domains', 'emails'])
    pass(1)
    expect((await listOwnDomains(context)).staleFor).toBe(91 * 60)
    expect((await listEmails(context)).staleFor).toBe(91 * 60)
  })

  test('and are fresh again after the next good one', async () => {
    await sync()
    state.failure = { list: 'domains', page: 0, status: 500 }
    await expect(sync()).rejects.toThrow()
    state.failure = null
    pass(5)
    expect(await told(sync)).toEqual(['own_domains', 'emails'])
    expect((await listOwnDomains(context)).staleFor).toBeNull()
  })
})

test('a registrar that never had anything is none that lost it', async () => {
  Object.assign(state, { domains: [], mailboxes: [] })
  expect(await sync()).toMatchObject({ domains: { entries: 0 }, emails: { entries: 0 } })
})
