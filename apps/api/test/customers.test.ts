import { customer, customersRoutes } from '@kustos/contract/customers'
import { urlOf } from '@kustos/contract/route'
import { timeline } from '@kustos/contract/timeline'
import {
  customers,
  deployments,
  emails,
  externalDomains,
  incidents,
  ownDomains,
  trackingAudits,
  uptimeDays,
  webCertificates,
  webs,
} from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { ApiClient } from './api-client.ts'
import { openCustomers } from './customers-kit.ts'

const { db, now, clientOf, admin, viewer, addWeb, addDomain, codes, list, read } = await openCustomers()
const { createCustomer, editCustomer, mergeCustomers, previewMerge, readCustomer, readTimeline } =
  customersRoutes

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

const monitored = { status: 0, domain_status: 1 }

describe('the list', () => {
  it('counts what each customer has', async () => {
    await addWeb('a.test', 'A', { ...monitored, down_since: now })
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

  it('counts a web as down only while it is monitored, as also one whose domain has moved away is', async () => {
    const down = { ...monitored, down_since: now }
    await addWeb('off.test', 'A', { ...down, monitoring_web_active: false })
    await addWeb('inactive.test', 'A', { ...down, status: 16 })
    await addWeb('elsewhere.test', 'A', { ...down, domain_status: 2 })
    const moved = await addWeb('moved.test', 'A', { ...down, domain_status: 2 })
    const times = { started_at: now, last_failed_at: now, watched_until: now }
    await db.insert(incidents).values({ web_id: moved, kind: 'moved', reason: 'moved', ...times })
    expect(await list()).toMatchObject([{ code: 'A', webs: 4, down: 1 }])
    const { webs: shown } = await read('A')
    expect(shown?.flatMap(({ fqdn, down_since: since }) => (since === null ? [] : fqdn))).toEqual([
      'moved.test',
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
    ['a taken code', { code: 'A' }, { code: ['There is already a customer with this code'] }],
    ['a merged code', { code: 'a' }, { code: ['“a” was merged into A; use that code'] }],
    ['no code', { code: ' ' }, { code: ['Customer is required'] }],
    ['a code that paths resolve', { code: '.' }, { code: ['Can’t be “.” or “..”'] }],
    ['another one', { code: ' .. ' }, { code: ['Can’t be “.” or “..”'] }],
    ['a code with an invisible end', { code: 'A\u200b' }, { code: ['Contains an invisible character'] }],
    ['a code that is a filler', { code: '\u3164' }, { code: ['Contains an invisible character'] }],
    [
      'a code of decomposed letters',
      { code: 'Mu\u0308ller' },
      { code: ['There is already a customer with this code'] },
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
    const web = await addWeb('a.test', 'A', { ...monitored, down_since: now })
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
