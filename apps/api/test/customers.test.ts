import type { Batch } from '@kustos/contract/batches'
import {
  type Customer,
  customer,
  customerDetails,
  customersRoutes,
  mergePreview,
} from '@kustos/contract/customers'
import type { Permission } from '@kustos/contract/permissions'
import { urlOf } from '@kustos/contract/route'
import { timeline } from '@kustos/contract/timeline'
import {
  alertRoutes,
  batches,
  checks,
  customers,
  deployments,
  emails,
  externalDomains,
  incidents,
  logEntries,
  ownDomains,
  trackingAudits,
  trackingContracts,
  trackingExceptions,
  uptimeDays,
  views,
  webCertificates,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { withMergedCodes } from '@kustos/domain/customers'
import { createContext } from '@kustos/domain/platform/context'
import { eq, gt } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ApiClient, createTestServices, createUser, listen, signIn } from './api-client.ts'
import { readLastEntryId, readLastEntryOf } from './last-entry.ts'

const now = new Date('2026-11-21T12:00:00Z')
const database = await testDatabase()
const { db } = database
const origin = await listen(database, { now: () => now })
const { deployments: tools } = await createTestServices(database)

async function clientOf(name: string, permissions: Permission[] | 'admin'): Promise<ApiClient> {
  await createUser(database, `${name}@kustos.test`, permissions)
  return signIn(origin, `${name}@kustos.test`)
}
const admin = await clientOf('admin', 'admin')
const viewer = await clientOf('viewer', ['view customers'])
const {
  createCustomer,
  editCustomer,
  listCustomers,
  mergeCustomers,
  previewMerge,
  readCustomer,
  readTimeline,
} = customersRoutes

beforeEach(async () => {
  for (const table of ['batch_targets', 'batches', 'incidents', 'uptime_days', 'tracking_audits'])
    await database.owner.pool.query(`delete from ${table}`)
  for (const table of ['views', 'deployments', 'webs', 'own_domains'])
    await database.owner.pool.query(`delete from ${table}`)
  for (const table of ['external_domains', 'emails', 'customers'])
    await database.owner.pool.query(`delete from ${table}`)
})

async function addWeb(name: string, code: string, more: Partial<typeof webs.$inferInsert> = {}) {
  const values = { fqdn: name, fqdn_ascii: name, customer: code, configured_ip: '192.0.2.1', ...more }
  const [row] = await db.insert(webs).values(values).returning({ id: webs.id })
  return row?.id ?? 0
}
const addDomain = (name: string, code: string) =>
  db.insert(externalDomains).values({ fqdn: name, fqdn_ascii: name, customer: code, domainprovider: 'P' })
const codes = async () =>
  (await db.select({ code: customers.code }).from(customers).orderBy(customers.code)).map(({ code }) => code)
const list = async (client = admin) => z.array(customer).parse(await client.json<unknown>(listCustomers.path))
const read = async (code: string, client = admin) =>
  customerDetails.parse(await client.json<unknown>(urlOf(readCustomer, { code })))
const entriesAfter = (id: number) =>
  db.select().from(logEntries).where(gt(logEntries.id, id)).orderBy(logEntries.id)

describe('a new code', () => {
  it('of a web, domain or mailbox becomes a customer, regardless of what writes it', async () => {
    await db.insert(webs).values(
      ['B', 'A', 'B'].map((code, index) => ({
        fqdn: `w${index}.test`,
        fqdn_ascii: `w${index}.test`,
        customer: code,
        configured_ip: '192.0.2.1',
      })),
    )
    await addDomain('extern.test', 'C')
    await db.insert(ownDomains).values({ fqdn: 'own.test', fqdn_ascii: 'own.test', customer: 'D' })
    await db.insert(emails).values({ address: 'a@own.test', customer: 'E', type: 'mailbox' })
    await db.update(webs).set({ customer: 'F' }).where(eq(webs.fqdn, 'w1.test'))
    await db.update(emails).set({ customer: 'G' })
    expect(await codes()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
  })

  it.each(['', 'x'.repeat(256)])('that nobody could enter is none (%#)', async (code) => {
    await db.insert(ownDomains).values({ fqdn: 'own.test', fqdn_ascii: 'own.test', customer: code })
    expect(await codes()).toEqual([])
  })

  it('takes no id if it is known', async () => {
    await addWeb('a.test', 'A')
    await addWeb('b.test', 'A')
    await addWeb('c.test', 'C')
    const rows = await db.select({ id: customers.id }).from(customers).orderBy(customers.id)
    expect((rows[1]?.id ?? 0) - (rows[0]?.id ?? 0)).toBe(1)
  })
})

describe('a code that is entered', () => {
  const web = { fqdn: 'n.test', configured_ip: '192.0.2.1' }
  const domain = { fqdn: 'extern.test', domainprovider: 'P' }
  const decomposed = 'Mu\u0308ller'

  it.each(['.', '..', 'A\u200b', '\u3164'])('is none of a customer: %j', async (code) => {
    const id = await addWeb('a.test', 'A')
    const edits = { action: 'edit', webs: [id], edits: { customer: code } }
    for (const [method, path, body] of [
      ['POST', '/api/webs', { ...web, customer: code }],
      ['PUT', `/api/webs/${id}`, { ...web, customer: code }],
      ['POST', '/api/externalDomains', { ...domain, customer: code }],
      ['POST', '/api/batches', edits],
    ] as const)
      expect([path, (await admin.send(method, path, body)).status]).toEqual([path, 422])
    expect(await codes()).toEqual(['A'])
  })

  it('is composed', async () => {
    const id = await addWeb('a.test', 'A')
    const [external] = await addDomain('b.test', 'A').returning({ id: externalDomains.id })
    for (const [method, path, body] of [
      ['POST', '/api/webs', { ...web, customer: decomposed }],
      ['PUT', `/api/webs/${id}`, { ...web, fqdn: 'a.test', customer: decomposed }],
      ['POST', '/api/externalDomains', { ...domain, customer: decomposed }],
      ['PUT', `/api/externalDomains/${external?.id}`, { ...domain, fqdn: 'b.test', customer: decomposed }],
    ] as const)
      expect([path, (await admin.send(method, path, body)).ok]).toEqual([path, true])
    expect(await codes()).toEqual(['A', 'Müller'])
    const request = { action: 'edit', webs: [id], edits: { customer: decomposed } }
    expect((await admin.send('POST', '/api/batches', request)).status).toBe(422)
  })

  it.each([decomposed, 'A\u200b'])('stays as it is if a customer has it: %j', async (code) => {
    const id = await addWeb('a.test', code)
    const edited = { ...web, fqdn: 'a.test', comment: 'new', customer: code }
    expect((await admin.send('PUT', `/api/webs/${id}`, edited)).status).toBe(204)
    expect((await admin.send('POST', '/api/webs', { ...web, customer: code })).status).toBe(201)
    expect(await codes()).toEqual([code])
    const merge = { from: code, into: 'B' }
    await db.insert(customers).values({ code: 'B' })
    expect((await admin.send('POST', mergeCustomers.path, merge)).status).toBe(204)
    expect(await codes()).toEqual(['B'])
  })
})

describe('the list', () => {
  it('counts what each customer has', async () => {
    await addWeb('a.test', 'A', { down_since: now })
    await addWeb('b.test', 'A')
    await addWeb('gone.test', 'A', { deleted_at: now })
    await addDomain('extern.test', 'A')
    await db.insert(ownDomains).values({ fqdn: 'own.test', fqdn_ascii: 'own.test', customer: 'A' })
    await db.insert(emails).values({ address: 'a@own.test', customer: 'B', type: 'mailbox' })
    expect(await list()).toMatchObject([
      { code: 'A', webs: 2, down: 1, domains: 2, mailboxes: 0 },
      { code: 'B', webs: 0, down: 0, domains: 0, mailboxes: 1 },
    ])
  })

  it('counts nothing that the user may not see', async () => {
    await addWeb('a.test', 'A')
    expect(await list(viewer)).toMatchObject([
      { code: 'A', webs: null, down: null, domains: null, mailboxes: null },
    ])
  })
})

describe('adding and changing', () => {
  const full = {
    code: 'MÜLLER/Söhne 100 %',
    name: 'Müller & Söhne',
    contacts: [{ name: 'Anna', role: null, email: 'anna@mueller.test', phone: '+39 0471 1' }],
    notes: 'Line 1\nLine 2',
    contract_notes: 'gold',
    alert_channels: ['mail', 'slack'],
  }

  it('returns and shows it, whatever its code is', async () => {
    const response = await admin.send('POST', createCustomer.path, full)
    expect(response.status).toBe(201)
    expect(customer.parse(await response.json())).toMatchObject({ code: full.code, webs: 0 })
    expect(await read(full.code)).toMatchObject({ ...full, alert_channels: ['slack', 'mail'], spellings: [] })
  })

  it.each([
    ['a taken code', { code: 'A' }, { code: ['There is a customer with this code already'] }],
    ['a merged code', { code: 'a' }, { code: ['“a” was merged into A; use that code'] }],
    ['no code', { code: ' ' }, { code: ['Customer is required'] }],
    ['a code that paths resolve', { code: '.' }, { code: ['Can’t be “.” or “..”'] }],
    ['another one', { code: ' .. ' }, { code: ['Can’t be “.” or “..”'] }],
    ['a code with an invisible end', { code: 'A\u200b' }, { code: ['Contains an invisible character'] }],
    ['a code that is a filler', { code: '\u3164' }, { code: ['Contains an invisible character'] }],
    [
      'a code of decomposed letters',
      { code: 'Mu\u0308ller' },
      { code: ['There is a customer with this code already'] },
    ],
    ['an unknown channel', { code: 'N', alert_channels: ['fax'] }, expect.anything()],
    ['a contact without a name', { code: 'N', contacts: [{ name: '' }] }, expect.anything()],
  ])('rejects %s', async (_, body, errors) => {
    await db.insert(customers).values([{ code: 'A', spellings: ['a'] }, { code: 'Müller' }])
    const response = await admin.send('POST', createCustomer.path, body)
    expect([response.status, ((await response.json()) as { errors: object }).errors]).toEqual([422, errors])
    expect(await codes()).toEqual(['A', 'Müller'])
  })

  it('rejects a change of someone who has not seen the latest', async () => {
    await db.insert(customers).values({ code: 'A' })
    const url = urlOf(editCustomer, { code: 'A' })
    const { updated_at } = await read('A')
    expect((await admin.send('PUT', url, { name: 'First', updated_at })).status).toBe(204)
    const second = await admin.send('PUT', url, { name: 'Second', updated_at })
    expect(second.status).toBe(409)
    expect(await second.json()).toMatchObject({ message: expect.stringContaining('admin@kustos.test') })
    expect(await read('A')).toMatchObject({ name: 'First', contacts: [] })
  })

  it.each(['NOBODY', 'x'.repeat(255), 'Ü'.repeat(255), 'a/b', '%'])('does not find %s', async (code) => {
    for (const route of [readCustomer, readTimeline, previewMerge])
      expect((await admin.fetch(urlOf(route, { code }))).status).toBe(404)
    expect((await admin.send('PUT', urlOf(editCustomer, { code }), {})).status).toBe(404)
  })

  it('rejects a code with a character that cannot be stored, and one that is too long', async () => {
    for (const code of ['a\u0000', 'x'.repeat(256)])
      expect((await admin.fetch(urlOf(readCustomer, { code }))).status).toBe(404)
  })
})

describe('a customer’s page', () => {
  async function fill(): Promise<number> {
    const web = await addWeb('a.test', 'A', { down_since: now })
    await addWeb('other.test', 'B')
    await addDomain('extern.test', 'A')
    await db.insert(ownDomains).values({ fqdn: 'own.test', fqdn_ascii: 'own.test', customer: 'A' })
    await db.insert(emails).values({ address: 'a@own.test', customer: 'A', type: 'mailbox' })
    const day = { web_id: web, known: 1000, checks: 10, failures: 1 }
    await db.insert(uptimeDays).values([
      { ...day, day: '2026-11-20', downtime: 100 },
      { ...day, day: '2026-10-22', downtime: 100 },
      { ...day, day: '2026-10-21', downtime: 400 },
      { ...day, day: '2026-08-22', downtime: 1000 },
    ])
    const audit = { web_id: web, engine: 'browser', outcome: 'seen', findings: [] }
    const asked = [
      { phase: 'before', verdict: 'violation', topic: 'matomo', host: 'm.test' },
      { phase: 'before', verdict: 'none', topic: null, host: 'cdn.test' },
      { phase: 'accepted', verdict: 'violation', topic: 'gtm', host: 'g.test' },
    ]
    await db.insert(trackingAudits).values([
      { ...audit, audited_at: now, visit: { asked } },
      { ...audit, audited_at: now, engine: 'static' },
    ])
    return web
  }

  async function insertIncident(web_id: number) {
    const times = { started_at: now, last_failed_at: now, watched_until: now }
    const reason = { reason: 'the connection was refused', reason_code: 'connection_refused' }
    await db.insert(incidents).values({ web_id, ...times, ...reason })
  }

  it('shows its webs, domains, mailboxes, uptime, and what is loaded before consent', async () => {
    await insertIncident(await fill())
    const found = await read('A')
    expect(found.webs).toMatchObject([
      {
        fqdn: 'a.test',
        down_since: now.toISOString(),
        down_reason_code: 'connection_refused',
        uptime: { days_30: 90, days_90: 80 },
        before_consent: [{ topic: 'matomo', host: 'm.test' }],
      },
    ])
    expect(found.uptime).toEqual({ days_30: 90, days_90: 80 })
    expect(found.own_domains?.map(({ fqdn }) => fqdn)).toEqual(['own.test'])
    expect(found.external_domains?.map(({ fqdn }) => fqdn)).toEqual(['extern.test'])
    expect(found.mailboxes?.map(({ address }) => address)).toEqual(['a@own.test'])
    expect(await read('B')).toMatchObject({ uptime: { days_30: null }, webs: [{ before_consent: null }] })
  })

  it.each([
    ['view webs', 'webs'],
    ['view external domains', 'external_domains'],
    ['view limitis domains', 'own_domains'],
    ['view limitis email', 'mailboxes'],
  ] as const)('shows with %s only the %s', async (permission, part) => {
    await insertIncident(await fill())
    const client = await clientOf(part, ['view customers', permission])
    const { webs: ofWebs, own_domains, external_domains, mailboxes, uptime } = await read('A', client)
    const seen = Object.entries({ webs: ofWebs, own_domains, external_domains, mailboxes })
    expect(seen.flatMap(([name, rows]) => (rows === null ? [] : [name]))).toEqual([part])
    const [web] = ofWebs ?? []
    expect([uptime, web?.uptime ?? null, web?.down_reason ?? null]).toEqual([null, null, null])
  })

  const kindsFor = async (client: ApiClient) =>
    timeline
      .parse(await client.json<unknown>(urlOf(readTimeline, { code: 'A' })))
      .data.map(({ kind }) => kind)

  it('has a timeline of what happened to it in the last weeks', async () => {
    const web = await fill()
    const at = (day: string) => new Date(`2026-11-${day}T10:00:00Z`)
    const times = { created_at: at('12'), updated_at: at('12') }
    await db
      .insert(deployments)
      .values({ kind: 'backupWeb', state: 'succeeded', fqdn: 'a.test', web_id: web, ...times })
    const incident = { web_id: web, reason: 'Timeout', last_failed_at: at('11'), watched_until: at('11') }
    await db.insert(incidents).values([
      { ...incident, started_at: at('11'), ended_at: at('11') },
      {
        ...incident,
        started_at: new Date('2026-09-01T00:00:00Z'),
        ended_at: new Date('2026-09-01T01:00:00Z'),
      },
    ])
    const certificate = {
      web_id: web,
      checked_at: now,
      ipv6: 'none',
      fingerprint: 'F',
      authority: "Let's Encrypt",
      valid_from: at('13'),
      valid_to: at('30'),
    } as const
    await db.insert(webCertificates).values([
      { ...certificate, name: 'a.test', kind: 'main', state: 'valid' },
      { ...certificate, name: 'www.a.test', kind: 'www', state: 'valid' },
      {
        ...certificate,
        name: 'shop.a.test',
        kind: 'alias',
        state: 'wrong_name',
        wrong_since: at('14'),
        fingerprint: 'G',
        valid_from: new Date('2026-01-01T00:00:00Z'),
      },
    ])
    await admin.send('PUT', urlOf(editCustomer, { code: 'A' }), { notes: 'Call them' })
    const { data, from } = timeline.parse(await admin.json<unknown>(urlOf(readTimeline, { code: 'A' })))
    expect(data.map(({ kind, at: moment }) => [kind, moment.slice(0, 10)])).toEqual([
      ['change', '2026-11-21'],
      ['certificate', '2026-11-14'],
      ['certificate', '2026-11-13'],
      ['deployment', '2026-11-12'],
      ['incident', '2026-11-11'],
    ])
    expect(data[0]).toMatchObject({ change: { causer: 'admin@kustos.test', subject_name: 'A' } })
    expect(data.slice(1, 3)).toMatchObject([
      { certificate: { web: { fqdn: 'a.test' }, state: 'wrong_name', names: ['shop.a.test'] } },
      { certificate: { state: 'valid', names: ['a.test', 'www.a.test'], valid_to: at('30').toISOString() } },
    ])
    expect(from).toBe('2026-10-24T12:00:00.000Z')
    const longer = urlOf(readTimeline, { code: 'A' }, { weeks: 52 })
    expect(timeline.parse(await admin.json<unknown>(longer)).data).toHaveLength(7)
    expect(await kindsFor(viewer)).toEqual([])
    const seesQueue = await clientOf('queue', ['view customers', 'view webs', 'view queue'])
    expect(await kindsFor(seesQueue)).toEqual(['certificate', 'certificate', 'deployment'])
    const seesLog = await clientOf('log', ['view customers', 'view logs'])
    expect(await kindsFor(seesLog)).toEqual(['change'])
  })

  it.each(['0', '53', 'x'])('rejects a timeline of %s weeks', async (weeks) => {
    await addWeb('a.test', 'A')
    expect((await admin.fetch(urlOf(readTimeline, { code: 'A' }, { weeks }))).status).toBe(422)
  })
})

describe('a merge', () => {
  const merge = (from: string, into: string, client = admin) =>
    client.send('POST', mergeCustomers.path, { from, into })

  async function fill() {
    const [first, gone] = [
      await addWeb('a.test', 'Müller'),
      await addWeb('g.test', 'Müller', { deleted_at: now }),
    ]
    await addWeb('b.test', 'MÜLLER')
    await addDomain('extern.test', 'Müller')
    await db.insert(ownDomains).values({ fqdn: 'own.test', fqdn_ascii: 'own.test', customer: 'Müller' })
    await db.insert(emails).values({ address: 'a@own.test', customer: 'Müller', type: 'mailbox' })
    await db
      .update(customers)
      .set({ notes: 'old', spellings: ['mueller'] })
      .where(eq(customers.code, 'Müller'))
    await db.update(customers).set({ notes: 'new' }).where(eq(customers.code, 'MÜLLER'))
    return { first, gone }
  }

  it('is previewed: what would change, by kind and name', async () => {
    await fill()
    const url = urlOf(previewMerge, { code: 'Müller' })
    expect(mergePreview.parse(await admin.json<unknown>(url))).toEqual({
      webs: { count: 2, names: ['a.test', 'g.test'] },
      own_domains: { count: 1, names: ['own.test'] },
      external_domains: { count: 1, names: ['extern.test'] },
      mailboxes: { count: 1, names: ['a@own.test'] },
      check: false,
      tracking_contract: false,
    })
    const editor = await clientOf('editor', ['edit customers', 'view webs'])
    expect(mergePreview.parse(await editor.json<unknown>(url))).toMatchObject({
      webs: { count: 2, names: ['a.test', 'g.test'] },
      own_domains: null,
      external_domains: null,
      mailboxes: null,
    })
  })

  it('changes every record, with an entry that names the merge', async () => {
    const { first, gone } = await fill()
    const before = await readLastEntryId(db)
    expect((await merge('Müller', 'MÜLLER')).status).toBe(204)
    expect(await codes()).toEqual(['MÜLLER'])
    expect(await list()).toMatchObject([{ code: 'MÜLLER', webs: 2, domains: 2, mailboxes: 1 }])
    expect(await read('MÜLLER')).toMatchObject({ notes: 'new\n\nold', spellings: ['mueller', 'Müller'] })
    const entries = await entriesAfter(before)
    const change = {
      old: { customer: 'Müller' },
      attributes: { customer: 'MÜLLER', merge: 'Müller → MÜLLER' },
    }
    expect(entries).toMatchObject([
      { log_name: 'limitis', subject_type: null, properties: { attributes: { name: 'own.test' } } },
      { log_name: 'limitis', subject_type: null, properties: { attributes: { name: 'a@own.test' } } },
      { subject_type: 'external_domain', description: 'updated', properties: change },
      { subject_type: 'web', subject_id: first, properties: change },
      { subject_type: 'web', subject_id: gone, properties: change },
      { log_name: 'customers', description: 'merged', properties: { old: { code: 'Müller' } } },
    ])
  })

  const contact = { name: 'Ada', role: null, email: null, phone: null }

  it.each([
    [
      'contacts',
      { contacts: Array(26).fill(contact) },
      { code: 'merged_contacts_too_many', params: { max: 50 } },
    ],
    ['notes', { notes: 'x'.repeat(5000) }, { code: 'merged_notes_too_long', params: { max: 10_000 } }],
    [
      'contract notes',
      { contract_notes: 'x'.repeat(5000) },
      { code: 'merged_contract_notes_too_long', params: { max: 10_000 } },
    ],
  ])('is refused if the customer would have too many %s', async (_, both, reason) => {
    await fill()
    await db.update(customers).set({ notes: null, ...both })
    const response = await merge('Müller', 'MÜLLER')
    expect([response.status, await response.json()]).toMatchObject([422, { error_codes: { into: [reason] } }])
    expect(await codes()).toEqual(['MÜLLER', 'Müller'])
  })

  const allowed = {
    key: 'host x.test',
    difference: 'x.test',
    until: new Date('2026-12-24'),
    reason: 'Agreed',
  }
  const times = { created_at: now, updated_at: now }
  const headers = [{ name: 'X-Key', value: 'sealed' }]

  /** Gives a customer a check, a tracking contract and an allowed difference. */
  async function addSettings(code: string): Promise<void> {
    const [row] = await db.select().from(customers).where(eq(customers.code, code))
    const customer_id = row?.id ?? 0
    await db.insert(checks).values({ customer_id, settings: { path: `/${code}`, headers }, ...times })
    await db
      .insert(trackingContracts)
      .values({ customer_id, settings: { hosts: [`${code}.test`] }, ...times })
    await db.insert(trackingExceptions).values({ customer_id, ...allowed, created_at: now })
  }

  it('keeps the check and the tracking contract where the other customer has none', async () => {
    await fill()
    await addSettings('Müller')
    expect(await admin.json<unknown>(urlOf(previewMerge, { code: 'Müller' }))).toMatchObject({
      check: true,
      tracking_contract: true,
    })
    const before = await readLastEntryId(db)
    expect((await merge('Müller', 'MÜLLER')).status).toBe(204)
    const [kept] = await db.select().from(customers)
    const customer_id = kept?.id ?? 0
    expect(await db.select().from(checks)).toMatchObject([
      { customer_id, settings: { path: '/Müller', headers } },
    ])
    expect(await db.select().from(trackingContracts)).toMatchObject([
      { customer_id, settings: { hosts: ['Müller.test'] } },
    ])
    expect(await db.select().from(trackingExceptions)).toMatchObject([{ customer_id, reason: 'Agreed' }])
    const entries = (await entriesAfter(before)).filter((entry) => entry.subject_id === customer_id)
    const merged = { merge: 'Müller → MÜLLER' }
    expect(entries).toMatchObject([
      {
        description: 'check changed',
        properties: { old: { path: null }, attributes: { path: '/Müller', headers: ['X-Key'], ...merged } },
      },
      {
        description: 'contract changed',
        properties: { old: { hosts: null }, attributes: { hosts: ['Müller.test'], ...merged } },
      },
      { description: 'difference allowed', properties: { attributes: { difference: 'x.test', ...merged } } },
      { description: 'merged' },
    ])
    expect(entries.at(-1)?.properties.old).not.toHaveProperty('check')
  })

  it('says in the log what is lost, without values of headers', async () => {
    await fill()
    await addSettings('Müller')
    await addSettings('MÜLLER')
    const before = await readLastEntryId(db)
    expect((await merge('Müller', 'MÜLLER')).status).toBe(204)
    expect(await db.select().from(checks)).toMatchObject([{ settings: { path: '/MÜLLER' } }])
    expect(await db.select().from(trackingContracts)).toMatchObject([
      { settings: { hosts: ['MÜLLER.test'] } },
    ])
    expect(await db.select().from(trackingExceptions)).toHaveLength(1)
    const entry = (await entriesAfter(before)).at(-1)
    expect(entry).toMatchObject({
      description: 'merged',
      properties: {
        old: {
          check: { path: '/Müller', headers: ['X-Key'] },
          tracking_contract: { hosts: ['Müller.test'] },
          exceptions: [{ difference: 'x.test', until: '2026-12-24T00:00:00.000Z', reason: 'Agreed' }],
        },
      },
    })
    expect(JSON.stringify(entry)).not.toContain('sealed')
  })

  it('changes alert routes and maintenance windows, with an entry for each', async () => {
    await fill()
    const customersOfBoth = ['MÜLLER', 'Müller']
    const lists = { tags: [], node_ids: [], severities: [], weekdays: [], steps: [] }
    const flags = { is_active: true, replaces_channels: false, continues: false }
    await db
      .insert(alertRoutes)
      .values({ name: 'Night', position: 1, customers: customersOfBoth, ...lists, ...flags })
    const planned = await admin.send('POST', '/api/maintenance-windows', {
      reason: 'Update',
      customers: ['Müller'],
      repeats: 'once',
      starts_at: '2026-12-01T20:00:00Z',
      ends_at: '2026-12-01T22:00:00Z',
    })
    expect(planned.status).toBe(201)
    const before = await readLastEntryId(db)
    expect((await merge('Müller', 'MÜLLER')).status).toBe(204)
    expect(await db.select().from(alertRoutes)).toMatchObject([{ customers: ['MÜLLER'] }])
    const attributes = { customers: ['MÜLLER'], merge: 'Müller → MÜLLER' }
    expect((await entriesAfter(before)).filter(({ log_name }) => /alert|maint/.test(log_name))).toMatchObject(
      [
        { subject_type: 'alert_route', properties: { old: { customers: customersOfBoth }, attributes } },
        { subject_type: 'maintenance_window', properties: { old: { customers: ['Müller'] }, attributes } },
      ],
    )
  })

  it('is followed by saved views that filter by this customer, with an entry for each', async () => {
    for (const code of ['TAL', 'BERG', 'BERGER', 'HOFTAL']) await addWeb(`${code}.test`, code)
    const saved = new Map<number, string>()
    const save = async (view: string, parameter: string, before: string, after: string) => {
      const queryOf = (value: string) => new URLSearchParams([[parameter, value]]).toString()
      const body = {
        list: view,
        name: `${before} ${saved.size}`,
        query: queryOf(before),
        audience: 'private',
        role_id: null,
      }
      const shown = { column_order: [], column_widths: {} }
      const response = await admin.send('POST', '/api/views', { ...body, ...shown })
      expect(response.status).toBe(201)
      saved.set(((await response.json()) as { id: number }).id, queryOf(after))
    }
    await save('webs', 'f.customer', 'equals:tal', 'equals:BERG')
    await save('customers', 'f.code', 'not-equals:TAL', 'not-equals:BERG')
    // There is another customer that begins with BERG.
    await save('emails', 'f.customer', 'starts:TAL', 'equals:BERG')
    await save('logs', 'customer', 'TAL', 'BERG')
    // There is another customer with this part.
    await save('webs', 'f.customer', 'contains:tal', 'contains:tal')
    await save('webs', 'f.fqdn', 'equals:TAL', 'equals:TAL')
    const before = await readLastEntryId(db)
    expect((await merge('TAL', 'BERG')).status).toBe(204)
    expect(new Map((await db.select().from(views)).map(({ id, query }) => [id, query]))).toEqual(saved)
    const entries = (await entriesAfter(before)).filter(({ log_name }) => log_name === 'views')
    expect(entries.map(({ subject_id }) => subject_id)).toEqual([...saved.keys()].slice(0, 4))
    expect(entries[0]).toMatchObject({
      description: 'updated',
      properties: {
        old: { query: 'f.customer=equals%3Atal' },
        attributes: { query: 'f.customer=equals%3ABERG', merge: 'TAL → BERG' },
      },
    })
    const reverted = await admin.send('POST', `/api/logs/${entries[0]?.id}/revert`)
    expect([reverted.status, await reverted.json()]).toMatchObject([409, { code: 'merge_not_revertible' }])
  })

  it('is remembered for lists that go on using the old code', async () => {
    await fill()
    await merge('Müller', 'MÜLLER')
    const rows = [{ customer: 'Müller' }, { customer: 'mueller' }, { customer: 'X' }, { customer: null }]
    expect((await withMergedCodes(db, rows)).map((row) => row.customer)).toEqual([
      'MÜLLER',
      'MÜLLER',
      'X',
      null,
    ])
  })

  /** The status of a response, and the first error of each field. */
  const refusalOf = async (response: Response) => {
    const { errors = {} } = (await response.json()) as { errors?: Record<string, string[]> }
    return [response.status, Object.fromEntries(Object.entries(errors).map(([key, [first]]) => [key, first]))]
  }
  const sentence = '“Müller” was merged into MÜLLER; use that code'

  it('does not come back by forms and batches, which name the code of today', async () => {
    const { first } = await fill()
    await merge('Müller', 'MÜLLER')
    const web = { fqdn: 'a.test', customer: 'Müller', configured_ip: '192.0.2.1' }
    const domain = { fqdn: 'extern.test', customer: 'Müller', domainprovider: 'P' }
    const [external] = await db.select().from(externalDomains)
    const edits = { action: 'edit', webs: [first], edits: { customer: 'Müller' } }
    expect(await refusalOf(await admin.send('POST', '/api/webs', { ...web, fqdn: 'n.test' }))).toEqual([
      422,
      { customer: sentence },
    ])
    expect(await refusalOf(await admin.send('PUT', `/api/webs/${first}`, web))).toEqual([
      422,
      { customer: sentence },
    ])
    expect(
      await refusalOf(await admin.send('POST', '/api/externalDomains', { ...domain, fqdn: 'e.test' })),
    ).toEqual([422, { customer: sentence }])
    expect(await refusalOf(await admin.send('PUT', `/api/externalDomains/${external?.id}`, domain))).toEqual([
      422,
      { customer: sentence },
    ])
    for (const path of ['/api/batches/preview', '/api/batches'])
      expect(await refusalOf(await admin.send('POST', path, edits))).toEqual([422, { edits: sentence }])
    expect(await codes()).toEqual(['MÜLLER'])
  })

  it('does not come back by a batch that was accepted before', async () => {
    const { first } = await fill()
    const other = await addWeb('c.test', 'OTHER')
    const request = { action: 'edit', webs: [other], edits: { customer: 'Müller' } }
    const { id } = (await (await admin.send('POST', '/api/batches', request)).json()) as { id: number }
    const moved = { action: 'edit', webs: [first], edits: { customer: 'OTHER' } }
    const away = (await (await admin.send('POST', '/api/batches', moved)).json()) as { id: number }
    const advance = () => advanceBatches(createContext(database), tools, new AbortController().signal)
    await db.update(batches).set({ state: 'cancelled' }).where(eq(batches.id, id))
    await advance()
    await merge('Müller', 'MÜLLER')
    await db.update(batches).set({ state: 'running' }).where(eq(batches.id, id))
    await advance()
    const read = async (batch: number) => admin.json<Batch>(`/api/batches/${batch}`)
    expect((await read(id)).targets).toMatchObject([{ state: 'skipped', error: sentence }])
    expect(await admin.json<unknown>(`/api/batches/${away.id}/revert`)).toMatchObject({
      eligible: 0,
      skipped: [{ web_id: first, reason: `The old customer can’t be given back: ${sentence}.` }],
    })
    const back = (await (await admin.send('POST', `/api/batches/${away.id}/revert`)).json()) as { id: number }
    await advance()
    expect((await read(back.id)).targets).toMatchObject([
      { state: 'skipped', error_code: 'customer_not_given_back' },
    ])
    expect(await codes()).toEqual(['MÜLLER', 'OTHER'])
  })

  it('does not come back by reverts', async () => {
    const { first } = await fill()
    const revert = async (type: string, id: number) => {
      const { id: entry } = await readLastEntryOf(db, type, id)
      const response = await admin.send('POST', `/api/logs/${entry}/revert`)
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    const web = { fqdn: 'a.test', configured_ip: '192.0.2.1' }
    await admin.send('PUT', `/api/webs/${first}`, { ...web, customer: 'OTHER' })
    const [external] = await db.select().from(externalDomains)
    const id = external?.id ?? 0
    const domain = { fqdn: 'extern.test', domainprovider: 'P' }
    await admin.send('PUT', `/api/externalDomains/${id}`, { ...domain, customer: 'OTHER' })
    await merge('Müller', 'MÜLLER')
    for (const [type, subject] of [
      ['web', first],
      ['external_domain', id],
    ] as const)
      expect(await revert(type, subject)).toEqual([409, 'customer_not_given_back'])
    await merge('OTHER', 'MÜLLER')
    for (const [type, subject] of [
      ['web', first],
      ['external_domain', id],
    ] as const)
      expect(await revert(type, subject)).toEqual([409, 'merge_not_revertible'])
    expect(await codes()).toEqual(['MÜLLER'])
  })

  it('leaves no record behind that is written at the same time', async () => {
    await fill()
    const writes = Array.from({ length: 20 }, (_, index) => addWeb(`w${index}.test`, 'Müller'))
    const [merged] = await Promise.all([merge('Müller', 'MÜLLER'), ...writes])
    expect(merged.status).toBe(204)
    const used = await db.selectDistinct({ code: webs.customer }).from(webs)
    expect(await codes()).toEqual(expect.arrayContaining(used.map(({ code }) => code)))
  })

  it.each([
    ['NOBODY', 'MÜLLER', 404],
    ['Müller', 'NOBODY', 404],
    ['Müller', 'Müller', 422],
    ['', 'MÜLLER', 422],
  ])('of %s into %s changes nothing: %s', async (from, into, status) => {
    await fill()
    const before: Customer[] = await list()
    expect((await merge(from, into)).status).toBe(status)
    expect(await list()).toEqual(before)
    expect((await merge('Müller', 'MÜLLER', viewer)).status).toBe(403)
  })
})
