import { externalDomain } from '@kustos/contract/external-domains'
import { email, ownDomain } from '@kustos/contract/limitis'
import { emails, externalDomains, logEntries, ownDomains, registrarSyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createUser, listen, signIn } from './api-client.ts'

const takenMessage = 'This domain is already in the list of external domains.'
const ownMessage = 'This is one of our own domains. It is already in the list of own domains.'

const database = await testDatabase()
const { db } = database
const origin = await listen(database, { now: () => new Date('2026-11-21T12:00:00Z') })
const staffId = await createUser(database, 'staff@kustos.test', [
  'view external domains',
  'create external domains',
  'edit external domains',
  'delete external domains',
  'view limitis domains',
  'view limitis email',
])
const staff = await signIn(origin, 'staff@kustos.test')

let entriesBefore = 0
beforeEach(async () => {
  await database.owner.db.execute(
    sql`truncate ${externalDomains}, ${ownDomains}, ${emails}, ${registrarSyncs}`,
  )
  entriesBefore = await db.$count(logEntries)
})

const müller = { fqdn: 'Müller.example', customer: 'MÜLLER', domainprovider: 'Registro.it' }

async function send(method: string, path: string, body?: unknown) {
  const response = await staff.send(method, path, body)
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) }
}
const create = (body: unknown) => send('POST', '/api/externalDomains', body)

async function createDomain(body: object = müller): Promise<number> {
  const response = await create(body)
  expect(response.status).toBe(201)
  return externalDomain.parse(response.body).id
}

const list = async () => z.array(externalDomain).parse(await staff.json<unknown>('/api/externalDomains'))
const lastEntry = async () => (await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1))[0]
/** The number of log entries of this test. */
const countEntries = async () => (await db.$count(logEntries)) - entriesBefore

describe('adding an external domain', () => {
  it('returns, lists and logs it', async () => {
    const { status, body } = await create(müller)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      fqdn: 'müller.example',
      customer: 'MÜLLER',
      domainprovider: 'Registro.it',
      mname: null,
      status: null,
      created_at: '2026-11-21T12:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
      checked_at: null,
      check_error: null,
      check_error_code: null,
      check_error_params: null,
      expires_at: null,
      expiry_source: null,
      mail_state: null,
    })
    expect(await list()).toEqual([body])
    expect(await lastEntry()).toMatchObject({
      log_name: 'external-domains',
      description: 'created',
      subject_type: 'external_domain',
      subject_id: body?.id,
      causer_id: staffId,
      properties: {
        attributes: { fqdn: 'müller.example', customer: 'MÜLLER', domainprovider: 'Registro.it' },
      },
    })
  })

  it.each([
    'müller.example',
    'MÜLLER.EXAMPLE',
    'xn--mller-kva.example',
    'mu\u0308ller.example',
    ' müller.example ',
  ])('rejects %j if it exists', async (fqdn) => {
    await createDomain()
    expect(await create({ ...müller, fqdn })).toEqual({
      status: 422,
      body: {
        message: takenMessage,
        error: takenMessage,
        errors: { fqdn: [takenMessage] },
        code: 'external_domain_taken',
        error_codes: { fqdn: [{ code: 'external_domain_taken' }] },
      },
    })
    expect(await list()).toHaveLength(1)
    expect(await countEntries()).toBe(1)
  })

  it('rejects one of our own domains', async () => {
    await db.insert(ownDomains).values({ customer: 'A', fqdn: 'eigen.example', fqdn_ascii: 'eigen.example' })
    const { status, body } = await create({ ...müller, fqdn: 'Eigen.example' })
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: ownMessage, errors: { fqdn: [ownMessage] } })
    expect(await countEntries()).toBe(0)
  })

  it('accepts one of twenty at the same time', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(müller)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of responses) {
      if (status === 201) continue
      expect(status).toBe(422)
      expect(body).toMatchObject({ error: takenMessage })
    }
    expect(await list()).toHaveLength(1)
    expect(await countEntries()).toBe(1)
  })

  it.each([
    ['nothing', {}, ['fqdn', 'customer', 'domainprovider']],
    ['blanks', { fqdn: ' ', customer: ' ', domainprovider: '\t' }, ['fqdn', 'customer', 'domainprovider']],
    ['one label', { ...müller, fqdn: 'localhost' }, ['fqdn']],
    ['an address', { ...müller, fqdn: '192.0.2.1' }, ['fqdn']],
    ['a URL', { ...müller, fqdn: 'https://a.example/' }, ['fqdn']],
    ['two domains', { ...müller, fqdn: 'a.example b.example' }, ['fqdn']],
    ['other types', { fqdn: 1, customer: [], domainprovider: null }, ['fqdn', 'customer', 'domainprovider']],
    ['NUL', { ...müller, customer: 'A\u0000B' }, ['customer']],
    ['256 characters', { ...müller, domainprovider: 'x'.repeat(256) }, ['domainprovider']],
    ['a very long label', { ...müller, fqdn: 'x'.repeat(200_000) }, ['fqdn']],
  ])('rejects %s and names each field', async (_, body, fields) => {
    const response = await create(body)
    expect(response.status).toBe(422)
    expect(Object.keys(response.body?.errors ?? {}).sort()).toEqual(fields.toSorted())
    expect(await countEntries()).toBe(0)
  })

  it('stores text that looks like a formula or markup as text', async () => {
    await createDomain({ ...müller, customer: '=1+1', domainprovider: '<b>&' })
    expect(await list()).toMatchObject([{ customer: '=1+1', domainprovider: '<b>&' }])
  })
})

describe('editing an external domain', () => {
  it('changes it and logs the difference', async () => {
    const id = await createDomain()
    await db.update(externalDomains).set({ status: 10, mname: 'ns.example', checked_at: new Date() })
    const response = await send('PUT', `/api/externalDomains/${id}`, { ...müller, customer: 'NEU' })
    expect(response).toEqual({ status: 204, body: null })
    // The DNS results of an unchanged name are kept.
    expect(await list()).toMatchObject([{ id, customer: 'NEU', status: 10, mname: 'ns.example' }])
    expect(await lastEntry()).toMatchObject({
      description: 'updated',
      subject_id: id,
      properties: { old: { customer: 'MÜLLER' }, attributes: { customer: 'NEU' } },
    })
  })

  it('resets the DNS results when the name changes', async () => {
    const id = await createDomain()
    await db.update(externalDomains).set({ status: 10, mname: 'ns.example', checked_at: new Date() })
    await send('PUT', `/api/externalDomains/${id}`, { ...müller, fqdn: 'neu.example' })
    expect(await list()).toMatchObject([{ fqdn: 'neu.example', status: null, mname: null, checked_at: null }])
  })

  it('rejects a stale edit with 409, names who saved first, and writes nothing', async () => {
    const id = await createDomain()
    const [current] = await list()
    const path = `/api/externalDomains/${id}`
    const theirs = { ...müller, customer: 'THEIRS', updated_at: current?.updated_at }
    await createUser(database, 'colleague@kustos.test', ['edit external domains'])
    const colleague = await signIn(origin, 'colleague@kustos.test')
    expect((await colleague.send('PUT', path, theirs)).status).toBe(204)
    const before = await countEntries()
    const { status, body } = await send('PUT', path, { ...theirs, customer: 'MINE' })
    expect(status).toBe(409)
    expect(body?.error).toMatch(/^colleague@kustos\.test changed this domain at 2026\/11\/21 /)
    expect(body?.message).toBe(body?.error)
    expect(await list()).toMatchObject([{ customer: 'THEIRS' }])
    expect(await countEntries()).toBe(before)
    const [latest] = await list()
    const again = { ...müller, customer: 'MINE', updated_at: latest?.updated_at }
    expect((await send('PUT', path, again)).status).toBe(204)
  })

  it('accepts one of twenty edits of the same version', async () => {
    const id = await createDomain()
    const [current] = await list()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        send('PUT', `/api/externalDomains/${id}`, {
          ...müller,
          customer: `C${n}`,
          updated_at: current?.updated_at,
        }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(409)])
  })

  it('logs nothing if nothing changes', async () => {
    const id = await createDomain()
    expect((await send('PUT', `/api/externalDomains/${id}`, müller)).status).toBe(204)
    expect(await countEntries()).toBe(1)
  })

  it.each(['zwei.example', 'eigen.example'])('rejects the existing domain %s', async (fqdn) => {
    await db.insert(ownDomains).values({ customer: 'A', fqdn: 'eigen.example', fqdn_ascii: 'eigen.example' })
    await createDomain({ ...müller, fqdn: 'zwei.example' })
    const id = await createDomain()
    const { status, body } = await send('PUT', `/api/externalDomains/${id}`, { ...müller, fqdn })
    expect(status).toBe(422)
    expect(body?.error).toBe(fqdn === 'eigen.example' ? ownMessage : takenMessage)
    expect(await countEntries()).toBe(2)
  })

  it('rejects an invalid body', async () => {
    const id = await createDomain()
    const { status, body } = await send('PUT', `/api/externalDomains/${id}`, { ...müller, customer: '' })
    expect(status).toBe(422)
    expect(body?.errors).toEqual({ customer: ['Customer is required'] })
  })
})

describe('deleting an external domain', () => {
  it('removes it and logs its values', async () => {
    const id = await createDomain()
    expect(await send('DELETE', `/api/externalDomains/${id}`)).toEqual({ status: 204, body: null })
    expect(await list()).toEqual([])
    expect(await lastEntry()).toMatchObject({
      description: 'deleted',
      subject_id: id,
      properties: { old: { fqdn: 'müller.example' } },
    })
    expect((await send('DELETE', `/api/externalDomains/${id}`)).status).toBe(404)
    expect(await countEntries()).toBe(2)
  })
})

it.each(['2000000000', '0', '-1', '1.5', 'x', '99999999999', "1'--"])('does not find %s', async (id) => {
  const path = `/api/externalDomains/${encodeURIComponent(id)}`
  expect((await send('PUT', path, müller)).status).toBe(404)
  expect((await send('DELETE', path)).status).toBe(404)
})

it.each([
  ['{', 400],
  ['[]', 422],
  ['"text"', 422],
])('rejects a body of %s', async (body, status) => {
  expect((await staff.send('POST', '/api/externalDomains', body)).status).toBe(status)
})

describe("the registrar's lists", () => {
  beforeEach(async () => {
    await db.insert(ownDomains).values([
      { customer: 'B', fqdn: 'b.example', fqdn_ascii: 'b.example', status: 2, mname: 'ns.b.example' },
      { customer: 'Ä', fqdn: 'ä.example', fqdn_ascii: 'xn--4ca.example', check_error: 'Nobody answered.' },
    ])
    await db.insert(emails).values([{ customer: 'B', address: 'info@b.example', type: 'mailbox' }])
  })

  const read = async (path: string) => {
    const response = await staff.fetch(path)
    return {
      stale: response.headers.get('x-kustos-stale'),
      body: JSON.parse(await response.text()) as unknown,
    }
  }

  it('match the contract', async () => {
    const domains = await read('/api/limitis/domains')
    expect(z.array(ownDomain).parse(domains.body)).toEqual(domains.body)
    expect(domains.body).toMatchObject([
      { fqdn: 'b.example', status: 2, mname: 'ns.b.example', check_error: null },
      { fqdn: 'ä.example', status: null, check_error: 'Nobody answered.' },
    ])
    const mailboxes = await read('/api/limitis/emails')
    expect(z.array(email).parse(mailboxes.body)).toEqual(mailboxes.body)
    expect(mailboxes.body).toMatchObject([{ customer: 'B', address: 'info@b.example', type: 'mailbox' }])
    expect([domains.stale, mailboxes.stale]).toEqual([null, null])
  })

  it.each([
    ['failed since', { succeeded_at: new Date('2026-11-21T11:00:00Z'), error: 'Away.' }, '3600'],
    ['succeeded', { succeeded_at: new Date('2026-11-21T11:00:00Z'), error: null }, null],
    ['never succeeded', { succeeded_at: null, error: 'Away.' }, null],
  ])('show their age if a sync has %s', async (_, sync, stale) => {
    await db.insert(registrarSyncs).values({ id: 1, ...sync })
    expect((await read('/api/limitis/domains')).stale).toBe(stale)
    expect((await read('/api/limitis/emails')).stale).toBe(stale)
  })
})
