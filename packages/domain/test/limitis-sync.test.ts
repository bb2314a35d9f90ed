import { customers, logEntries, ownDomains } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { listEmails, syncRegistrar, syncRegistrarWhenDue } from '../src/limitis/index.ts'
import { createContext } from '../src/platform/context.ts'
import { collectChangedLists } from './collect-notifications.ts'
import { domain, mailbox, startTestRegistrar } from './test-registrar.ts'

const database = await testDatabase()
const { db } = database
const { state, registrar, context, now, advanceMinutes, sync, domains, addresses, readLastSync } =
  await startTestRegistrar(database)

describe('a sync', () => {
  test('stores both lists', async () => {
    expect(await sync()).toEqual({
      domains: { entries: 3, added: 3, changed: 0, removed: 0 },
      emails: { entries: 3, added: 3, changed: 0, removed: 0 },
      notes: [],
    })
    expect(await domains()).toMatchObject([
      { fqdn: 'a.test', customer: 'KÖGL', status: null, created_at: now().toISOString() },
      { fqdn: 'c.test' },
      { fqdn: 'müller.test', customer: 'MÜLLER', created_at: '2019-03-01T00:00:00.000Z' },
    ])
    expect(await addresses()).toEqual(['info@a.test', 'post@müller.test', 'x@c.test'])
    expect(await readLastSync()).toMatchObject({ succeeded_at: now(), error: null })
  })

  test('writes only differences and keeps DNS results', async () => {
    await sync()
    await db
      .update(ownDomains)
      .set({ status: 1, mname: 'ns.test', checked_at: now() })
      .where(eq(ownDomains.fqdn, 'a.test'))
    const before = await domains()
    advanceMinutes(60)
    expect(await collectChangedLists(database, sync)).toEqual([])
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

  test('stores the end of a registration, and keeps it while the registrar does not say', async () => {
    state.domains = [domain('a.test', 'KÖGL', { expires_at: '2027-01-31', auto_renew: true })]
    await sync()
    const [stored] = await domains()
    expect(stored).toMatchObject({ expires_at: '2027-01-31T00:00:00.000Z', auto_renew: true })
    state.domains = [domain('a.test', 'KÖGL', { auto_renew: false })]
    expect(await sync()).toMatchObject({ domains: { changed: 1 } })
    expect(await domains()).toEqual([{ ...stored, auto_renew: false }])
    expect(await collectChangedLists(database, sync)).toEqual([])
  })

  test('takes no date that cannot be stored', async () => {
    state.domains = [domain('a.test', 'KÖGL', { expires_at: '9999-12-31T23:59:59-01:00' }), domain('b.test')]
    await sync()
    expect(await domains()).toMatchObject([{ fqdn: 'a.test', expires_at: null }, { fqdn: 'b.test' }])
  })

  test('takes no text that reverses what follows it', async () => {
    state.domains = [domain('a.test', 'KÖ\u202eGL')]
    state.mailboxes = [
      { ...mailbox('info@a.test', 'for\u2066ward'), customer: 'KÖ\u202eGL' },
      mailbox('x\u202e@a.test'),
    ]
    expect(await sync()).toMatchObject({
      notes: [
        expect.stringMatching(/^The registrar lists a mailbox that Kustos leaves out: x@a\.test \(.*\)\.$/),
      ],
    })
    expect(await domains()).toMatchObject([{ customer: 'KÖGL' }])
    expect((await listEmails(context)).rows).toMatchObject([
      { address: 'info@a.test', customer: 'KÖGL', type: 'forward' },
    ])
  })

  test('makes no second customer of a code whose umlauts are in two parts', async () => {
    const [known, unknown] = ['KÖGL', 'ÖTZI'].map((code) => code.normalize('NFD'))
    state.domains = [domain('a.test', known), domain('b.test', unknown)]
    state.mailboxes = [mailbox('info@b.test')]
    await sync()
    expect(await domains()).toMatchObject([{ customer: 'KÖGL' }, { customer: 'ÖTZI' }])
    expect(await sync()).toMatchObject({ domains: { changed: 0 } })
    // An earlier release has stored it like this.
    await db
      .update(customers)
      .set({ code: String(unknown) })
      .where(eq(customers.code, 'ÖTZI'))
    await sync()
    expect(await domains()).toMatchObject([{ customer: 'KÖGL' }, { customer: unknown }])
  })

  test('runs hourly, and sooner after a failure', async () => {
    const syncIfDue = () => syncRegistrarWhenDue(context, registrar)
    expect(await syncIfDue()).not.toBeNull()
    advanceMinutes(59)
    expect(await syncIfDue()).toBeNull()
    advanceMinutes(1)
    state.failure = { list: 'domains', page: 0, status: 401 }
    await expect(syncIfDue()).rejects.toMatchObject({ kind: 'upstream' })
    advanceMinutes(4)
    expect(await syncIfDue()).toBeNull()
    state.failure = null
    advanceMinutes(1)
    expect(await syncIfDue()).not.toBeNull()
  })

  test('that fails reloads open screens if their error has changed', async () => {
    await sync()
    const failWith = (status: number) =>
      collectChangedLists(database, async () => {
        state.failure = { list: 'domains', page: 0, status }
        await expect(sync()).rejects.toMatchObject({ kind: 'upstream' })
      })
    expect(await failWith(401)).not.toEqual([])
    expect(await failWith(401)).toEqual([])
    expect(await failWith(500)).not.toEqual([])
  })

  test('is made although the last one is stored for later, by a program whose clock was ahead', async () => {
    const ahead = createContext(database, null, () => new Date(now().getTime() + 3_600_000))
    await syncRegistrar(ahead, registrar)
    state.domains = [domain('a.test'), domain('c.test'), domain('new.test')]
    expect(await syncRegistrarWhenDue(context, registrar)).toMatchObject({ domains: { added: 1 } })
    expect(await domains()).toContainEqual(expect.objectContaining({ fqdn: 'new.test' }))
    expect(await readLastSync()).toMatchObject({ succeeded_at: now() })
  })

  test('that started earlier does not overwrite a later one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    state.held = promise
    const early = syncRegistrar(context, registrar)
    await new Promise((done) => setTimeout(done, 50))
    state.held = null
    const later = createContext(database, null, () => new Date(now().getTime() + 1000))
    await syncRegistrar(later, registrar)
    state.domains = [domain('alt.test')]
    resolve()
    await early
    expect(await domains()).toHaveLength(3)
  })
})

describe('the log', () => {
  const readLogSince = (count: number) => db.select().from(logEntries).orderBy(logEntries.id).offset(count)

  test('gets one entry naming what changed, and none if nothing did', async () => {
    await sync()
    const count = await db.$count(logEntries)
    advanceMinutes(60)
    await sync()
    expect(await readLogSince(count)).toEqual([])
    state.domains = [domain('a.test', 'NEU'), domain('xn--mller-kva.test', 'MÜLLER'), domain('neu.test')]
    state.mailboxes = [mailbox('info@a.test', 'forward')]
    await sync()
    expect(await readLogSince(count)).toMatchObject([
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

  test('names the first two hundred and the total', async () => {
    const count = await db.$count(logEntries)
    state.domains = Array.from({ length: 250 }, (_, n) => domain(`d${n}.test`))
    await sync()
    const [entry] = await readLogSince(count)
    const { domains: counts, domains_added: names } = entry?.properties.attributes ?? {}
    expect(counts).toEqual({ added: 250 })
    expect(names).toHaveLength(200)
  })

  test('gets no entry for a failed sync', async () => {
    await sync()
    const count = await db.$count(logEntries)
    state.failure = { list: 'mailboxes', page: 0, status: 503 }
    state.domains = [domain('neu.test')]
    await expect(sync()).rejects.toThrow()
    expect(await readLogSince(count)).toEqual([])
  })
})

describe('malformed entries', () => {
  test('are stored as far as they are valid and do not stop the sync', async () => {
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
    expect(await readLastSync()).toMatchObject({ error: null })
  })

  test('without a readable name prevent all removals', async () => {
    await sync()
    state.domains = [domain('neu.test'), ...Array.from({ length: 7 }, () => ({ customer: 'KÖGL' }))]
    const { domains: domainCounts, notes } = await sync()
    expect(domainCounts).toEqual({ entries: 1, added: 1, changed: 0, removed: 0 })
    expect(notes).toHaveLength(6)
    expect(notes[0]).toContain('none is removed: {"customer":"KÖGL"}')
    expect(notes[5]).toBe('2 more not shown.')
    expect(await domains()).toHaveLength(4)
  })
})
