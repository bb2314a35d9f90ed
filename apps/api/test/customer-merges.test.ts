import type { Batch } from '@kustos/contract/batches'
import { type Customer, customersRoutes, mergePreview } from '@kustos/contract/customers'
import { urlOf } from '@kustos/contract/route'
import {
  alertRoutes,
  batches,
  checks,
  customers,
  emails,
  externalDomains,
  logEntries,
  ownDomains,
  trackingContracts,
  trackingExceptions,
  views,
  webs,
} from '@kustos/database/tables'
import { advanceBatches } from '@kustos/domain/batches'
import { withMergedCodes } from '@kustos/domain/customers'
import { createContext } from '@kustos/domain/platform/context'
import { eq, gt } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestServices } from './api-client.ts'
import { openCustomers } from './customers-kit.ts'
import { readLastEntryId, readLastEntryOf } from './last-entry.ts'

const { database, db, now, clientOf, admin, viewer, addWeb, addDomain, codes, list, read } =
  await openCustomers()
const { deployments: tools } = await createTestServices(database)
const { mergeCustomers, previewMerge } = customersRoutes
const entriesAfter = (id: number) =>
  db.select().from(logEntries).where(gt(logEntries.id, id)).orderBy(logEntries.id)

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
    // Deleted webs are seen by those who may restore them.
    expect(mergePreview.parse(await editor.json<unknown>(url))).toMatchObject({
      webs: { count: 1, names: ['a.test'] },
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

  it('lets a user change a domain whose customer is merged at this moment', async () => {
    await fill()
    const rival = await database.owner.pool.connect()
    onTestFinished(() => rival.release())
    await rival.query('begin')
    await rival.query('select from external_domains for update')
    const merged = merge('Müller', 'MÜLLER')
    await expect
      .poll(database.waitingStatements, { timeout: 30_000 })
      .toContainEqual(expect.stringContaining('external_domains'))
    // As a change of its customer does.
    await rival.query('select from customers for key share')
    await rival.query(`update external_domains set customer = 'MÜLLER'`)
    await rival.query('commit')
    expect((await merged).status).toBe(204)
    expect(await codes()).toEqual(['MÜLLER'])
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

  it('is of the very customer that is named, and not of one whose code lacks a space', async () => {
    await addWeb('a.test', 'ALPEN')
    await addWeb('b.test', 'ALPEN ')
    await addWeb('c.test', 'BERG')
    expect((await merge('ALPEN ', 'BERG')).status).toBe(204)
    expect(await list()).toMatchObject([
      { code: 'ALPEN', webs: 1 },
      { code: 'BERG', webs: 2 },
    ])
  })

  it('does not come back: forms and batches reject its code and name the one that replaced it', async () => {
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
      skipped: [{ web_id: first, reason: `The previous customer can’t be restored: ${sentence}.` }],
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
