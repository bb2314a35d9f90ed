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
    isTotalFirst: false,
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
      notes: [],
    })
    expect(await domains()).toMatchObject([
      { fqdn: 'a.test', customer: 'KÖGL', status: null, created_at: now.toISOString() },
      { fqdn: 'c.test' },
      { fqdn: 'müller.test', customer: 'MÜLLER', created_at: '2019-03-01T00:00:00.000Z' },
    ])
    expect(await addresses()).toEqual(['info@a.test', 'post@müller.test', 'x@c.test'])
    expect(await outcome()).toMatchObject({ succeeded_at: now, error: null })
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
      notes: [],
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

describe('the log', () => {
  const since = (count: number) => db.select().from(logEntries).orderBy(logEntries.id).offset(count)

  test('has one entry of what a sync has moved, by name, and none where nothing moved', async () => {
    await sync()
    const count = await db.$count(logEntries)
    pass(60)
    await sync()
    expect(await since(count)).toEqual([])
    state.domains = [domain('a.test', 'NEU'), domain('xn--mller-kva.test', 'MÜLLER'), domain('neu.test')]
    state.mailboxes = [mailbox('info@a.test', 'forward')]
    await sync()
    expect(await since(count)).toMatchObject([
      {
        log_name: 'limitis',
        description: 'synced',
        causer_id: null,
        properties: {
          attributes: {
            domains: { added: 1, changed: 2, removed: 1 },
            domains_added: ['neu.test'],
            domains_changed: ['a.test: KÖGL → NEU', 'xn--mller-kva.test: müller.test → xn--mller-kva.test'],
            domains_removed: ['c.test'],
            emails: { changed: 1, removed: 2 },
            emails_changed: ['info@a.test: mailbox → forward'],
            emails_removed: ['post@müller.test', 'x@c.test'],
          },
        },
      },
    ])
  })

  test('names the first two hundred, and says how many there were', async () => {
    const count = await db.$count(logEntries)
    state.domains = Array.from({ length: 250 }, (_, n) => domain(`d${n}.test`))
    await sync()
    const [entry] = await since(count)
    const { domains: counts, domains_added: names } = entry?.properties.attributes ?? {}
    expect(counts).toEqual({ added: 250 })
    expect(names).toHaveLength(200)
  })

  test('has none of a sync that failed', async () => {
    await sync()
    const count = await db.$count(logEntries)
    state.failure = { list: 'mailboxes', page: 0, status: 503 }
    state.domains = [domain('neu.test')]
    await expect(sync()).rejects.toThrow()
    expect(await since(count)).toEqual([])
  })
})

describe('odd entries', () => {
  test('are taken as far as they are known, and hold up nothing else', async () => {
    await sync()
    state.domains = [
      domain('a.test', ''),
      { fqdn: 'neu.test', customer: null, created_at: '2020-01-01 10:00:00' },
      domain('kein_name.test'),
      domain('müller.test', 'MÜLLER', { created_at: 'gestern' }),
    ]
    state.mailboxes = [{ address: 'info@a.test' }, { address: 'neu@a.test', type: '' }]
    expect(await sync()).toEqual({
      domains: { entries: 3, added: 1, changed: 0, removed: 1 },
      emails: { entries: 2, added: 1, changed: 0, removed: 2 },
      notes: [expect.stringMatching(/leaves out: kein_name\.test \(.*underscores\)\.$/)],
    })
    expect(await domains()).toMatchObject([
      { fqdn: 'a.test', customer: 'KÖGL' },
      { fqdn: 'neu.test', customer: '', created_at: '2020-01-01T10:00:00.000Z' },
      { fqdn: 'müller.test', customer: 'MÜLLER', created_at: '2019-03-01T00:00:00.000Z' },
    ])
    expect((await listEmails(context)).rows).toMatchObject([
      { address: 'info@a.test', type: 'mailbox', customer: 'KÖGL' },
      { address: 'neu@a.test', type: '', customer: '' },
    ])
    expect(await outcome()).toMatchObject({ error: null })
  })

  test('without a name may be any that are missing: none is removed', async () => {
    await sync()
    state.domains = [domain('neu.test'), ...Array.from({ length: 7 }, () => ({ customer: 'KÖGL' }))]
    const { domains: moved, notes } = await sync()
    expect(moved).toEqual({ entries: 1, added: 1, changed: 0, removed: 0 })
    expect(notes).toHaveLength(6)
    expect(notes[0]).toContain('none is removed: {"customer":"KÖGL"}')
    expect(notes[5]).toBe('There are 2 more such entries.')
    expect(await domains()).toHaveLength(4)
  })
})

describe('a great loss', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => domain(`kunde-${i}.test`))

  test('is refused until an operator confirms it, which the log keeps', async () => {
    Object.assign(state, { domains: many(12), total: null })
    await sync()
    pass(60)
    state.domains = many(5)
    await expect(sync()).rejects.toThrow(
      /does not show 7 of our 12 domains any more\..*"pnpm kustos sync registrar --believe" removes them/,
    )
    expect(await domains()).toHaveLength(12)
    expect(await outcome()).toMatchObject({ error: expect.stringMatching(/7 of our 12/) })
    const logged = await db.$count(logEntries)
    expect(await syncRegistrar(context, registrar, { isBelieved: true })).toMatchObject({
      domains: { removed: 7 },
    })
    expect(await domains()).toHaveLength(5)
    expect((await listOwnDomains(context)).staleFor).toBeNull()
    expect(await db.select().from(logEntries).offset(logged)).toMatchObject([
      {
        log_name: 'limitis',
        description: 'removals confirmed',
        properties: {
          attributes: {
            domains: { removed: 7 },
            domains_removed: expect.arrayContaining(['kunde-5.test', 'kunde-11.test']),
          },
        },
      },
    ])
  })

  test('is none where half of them stay', async () => {
    Object.assign(state, { domains: many(12), total: null })
    await sync()
    state.domains = many(6)
    expect(await sync()).toMatchObject({ domains: { removed: 6 } })
  })

  test('may be all mailboxes, once that is confirmed', async () => {
    await sync()
    state.mailboxes = []
    await expect(sync()).rejects.toThrow(/no emails at all any more\..*--believe/)
    await syncRegistrar(context, registrar, { isBelieved: true })
    expect(await addresses()).toEqual([])
    pass(60)
    expect(await sync()).toMatchObject({ emails: { entries: 0 } })
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
    ['has none with a name any more', { domains: [{ name: 'neu.test' }] }, /domains that Kustos cannot read/],
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
