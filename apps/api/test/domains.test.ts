import { type DomainRecords, domainRecords } from '@kustos/contract/domains'
import { normalizeDomain } from '@kustos/contract/external-domains'
import type { Permission } from '@kustos/contract/permissions'
import type { Timeline } from '@kustos/contract/timeline'
import {
  dnsRecordSets,
  emails,
  externalDomains,
  logEntries,
  ownDomains,
  watchedDomains,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const now = new Date('2026-11-21T12:00:00Z')
const origin = await listen(database, { now: () => now, dnsAlertTypes: ['A', 'MX', 'NS'] })
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const inDays = (days: number) => hoursAgo(-24 * days)

let counter = 0
async function as(...permissions: Permission[]): Promise<ApiClient> {
  const email = `user${++counter}@kustos.test`
  await createUser(database, email, permissions)
  return signIn(origin, email)
}
let admin: ApiClient
const ascii = normalizeDomain('außen.test')

const listed = (fqdn: string, fqdn_ascii = fqdn) => ({ customer: 'ALPEN', fqdn, fqdn_ascii })
const watched = (name: string, more: Partial<typeof watchedDomains.$inferInsert> = {}) => ({
  name,
  domain: name,
  dns_due_at: now,
  dns_read_at: hoursAgo(1),
  ...more,
})

beforeAll(async () => {
  await createUser(database, 'admin@kustos.test', 'admin')
  admin = await signIn(origin, 'admin@kustos.test')
  await db.insert(ownDomains).values({ ...listed('own.test'), expires_at: inDays(20), auto_renew: false })
  await db.insert(externalDomains).values({ ...listed('außen.test', ascii), domainprovider: 'P' })
  await db.insert(webs).values({ ...listed('www.web.test'), configured_ip: '192.0.2.1' })
  await db.insert(watchedDomains).values([
    watched('own.test', { expires_at: inDays(21), registrar: 'R', mail_state: 'ok' }),
    watched(ascii, {
      expires_at: inDays(300),
      mail_state: 'warning',
      dns_state: { failures: { [`${ascii} MX`]: { code: 'dns_timeout' } } },
    }),
    watched('web.test', { expiry_error: 'No.', expiry_error_code: 'rdap_no_server' }),
    watched('www.web.test', { domain: 'web.test', mail: null }),
  ])
  const [row] = await db.select().from(watchedDomains).where(eq(watchedDomains.name, 'web.test'))
  const set = { watched_domain_id: row?.id ?? 0, host: 'web.test', type: 'NS' }
  await db.insert(dnsRecordSets).values([
    {
      ...set,
      records: ['ns1.test'],
      first_seen_at: hoursAgo(900),
      last_seen_at: hoursAgo(6),
      is_current: false,
    },
    { ...set, records: ['ns9.test'], first_seen_at: hoursAgo(5), alerted_at: hoursAgo(4) },
  ])
})

const listedFor = (customer: string) => ({ ...listed('shared.test'), customer })
const shareDomain = async () => {
  await db.insert(ownDomains).values(listedFor('OWN'))
  await db.insert(externalDomains).values({ ...listedFor('EXTERNAL'), domainprovider: 'P' })
  await db.insert(webs).values({ ...listedFor('WEB'), configured_ip: '192.0.2.1' })
  await db.insert(watchedDomains).values(watched('shared.test'))
}
const removeShared = async () => {
  for (const table of [ownDomains, externalDomains, webs])
    await db.delete(table).where(eq(table.fqdn_ascii, 'shared.test'))
  await db.delete(watchedDomains).where(eq(watchedDomains.name, 'shared.test'))
}

const read = async (fqdn: string, client = admin): Promise<DomainRecords> =>
  domainRecords.parse(await client.json(`/api/domains/${encodeURIComponent(fqdn)}/records`))

describe('the records of a domain', () => {
  it('name customers of the lists alone that the user may see', async () => {
    await shareDomain()
    const seen = async (client: ApiClient) => (await read('shared.test', client)).customers
    expect(await seen(admin)).toEqual(['EXTERNAL', 'OWN', 'WEB'])
    expect(await seen(await as('view limitis domains'))).toEqual(['OWN'])
    expect(await seen(await as('view external domains'))).toEqual(['EXTERNAL'])
    expect(await seen(await as('view webs'))).toEqual(['WEB'])
    await removeShared()
  })

  it('name the list of the domain and its mailboxes as far as the user may see them', async () => {
    const mailbox = (address: string) => ({ customer: 'ALPEN', address, type: 'mailbox' })
    await db
      .insert(emails)
      .values(['b@außen.test', `a@${ascii}`, 'c@www.web.test', 'd@own.test'].map(mailbox))
    const seen = async (fqdn: string, client = admin) => {
      const { list, domainprovider, mailboxes } = await read(fqdn, client)
      return { list, domainprovider, mailboxes }
    }
    expect(await seen('own.test')).toEqual({ list: 'own', domainprovider: null, mailboxes: ['d@own.test'] })
    expect(await seen('außen.test')).toEqual({
      list: 'external',
      domainprovider: 'P',
      mailboxes: [`a@${ascii}`, 'b@außen.test'],
    })
    expect(await seen('web.test')).toEqual({ list: null, domainprovider: null, mailboxes: [] })
    await shareDomain()
    const hidden = { list: null, domainprovider: null, mailboxes: null }
    expect(await seen('shared.test', await as('view webs'))).toEqual(hidden)
    await removeShared()
  })

  it('have a history, with what was alerted', async () => {
    expect(await read('web.test')).toMatchObject({
      fqdn: 'web.test',
      customers: ['ALPEN'],
      webs: [{ fqdn: 'www.web.test' }],
      read_at: hoursAgo(1).toISOString(),
      records: [
        {
          records: ['ns9.test'],
          is_current: true,
          last_seen_at: hoursAgo(1).toISOString(),
          alerted_at: hoursAgo(4).toISOString(),
        },
        { records: ['ns1.test'], is_current: false, last_seen_at: hoursAgo(6).toISOString() },
      ],
      muted_types: [],
      unalerted_types: ['AAAA', 'CNAME', 'TXT'],
    })
    expect(await read('WWW.web.test')).toMatchObject({
      fqdn: 'www.web.test',
      domain: 'web.test',
      records: [],
      mail: null,
    })
  })

  it('are found by any spelling of the name, with why some could not be read', async () => {
    expect(await read('Außen.test')).toMatchObject({
      fqdn: 'außen.test',
      ascii,
      failures: [{ host: ascii, type: 'MX', reason_code: 'dns_timeout' }],
    })
  })

  it('are seen by users who see the list that has the domain', async () => {
    const access: [Permission, string[]][] = [
      ['view limitis domains', ['own.test']],
      ['view external domains', ['außen.test']],
      ['view webs', ['web.test', 'www.web.test']],
    ]
    const all = access.flatMap(([, names]) => names)
    for (const [permission, names] of access) {
      const client = await as(permission)
      const seen = []
      for (const name of all)
        if ((await client.fetch(`/api/domains/${encodeURIComponent(name)}/records`)).status === 200)
          seen.push(name)
      expect([permission, seen]).toEqual([permission, names])
    }
    const stranger = await as('view queue')
    expect((await stranger.fetch('/api/domains/own.test/records')).status).toBe(403)
  })

  it('are not found for other names', async () => {
    for (const name of ['missing.test', 'test.own.test'])
      expect((await admin.fetch(`/api/domains/${name}/records`)).status).toBe(404)
    expect((await admin.fetch('/api/domains/no%20name/records')).status).toBe(404)
  })
})

describe('the expiry', () => {
  it('of own domains is that of the registrar, which the registry confirms', async () => {
    expect((await read('own.test')).expiry).toMatchObject({
      expires_at: inDays(20).toISOString(),
      source: 'registrar',
      registry_expires_at: inDays(21).toISOString(),
      auto_renew: false,
      registrar: 'R',
    })
  })

  it('of others is that of the registry, or unknown with its reason', async () => {
    expect((await read('außen.test')).expiry).toMatchObject({
      expires_at: inDays(300).toISOString(),
      source: 'rdap',
    })
    const unknown = { expires_at: null, source: null, reason_code: 'rdap_no_server' }
    expect((await read('web.test')).expiry).toMatchObject(unknown)
    expect((await read('www.web.test')).expiry).toMatchObject(unknown)
  })

  it('and the e-mail security are in the lists', async () => {
    expect(await admin.json('/api/limitis/domains')).toMatchObject([
      {
        fqdn: 'own.test',
        expires_at: inDays(20).toISOString(),
        expiry_source: 'registrar',
        mail_state: 'ok',
      },
    ])
    expect(await admin.json('/api/externalDomains')).toMatchObject([
      {
        fqdn: 'außen.test',
        expires_at: inDays(300).toISOString(),
        expiry_source: 'rdap',
        mail_state: 'warning',
      },
    ])
  })
})

describe('alerts of a domain', () => {
  const mute = (client: ApiClient, muted_types: unknown, fqdn = 'own.test') =>
    client.send('PUT', `/api/domains/${fqdn}/alerts`, { muted_types })

  it('can be muted by type', async () => {
    expect((await mute(admin, ['TXT', 'NS', 'NS'])).status).toBe(204)
    expect((await read('own.test')).muted_types).toEqual(['NS', 'TXT'])
    const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
    expect(entry).toMatchObject({
      log_name: 'domains',
      description: 'updated',
      subject_type: 'domain',
      properties: { attributes: { fqdn: 'own.test', muted_types: ['NS', 'TXT'] }, old: { muted_types: [] } },
    })
    const count = await db.$count(logEntries)
    expect((await mute(admin, ['NS', 'TXT'])).status).toBe(204)
    expect(await db.$count(logEntries)).toBe(count)
    // It appears in the timeline of the customer.
    const timeline = await admin.json<Timeline>('/api/customers/ALPEN/timeline')
    expect(timeline.data).toContainEqual(
      expect.objectContaining({
        kind: 'change',
        change: expect.objectContaining({ log_name: 'domains', subject_name: 'own.test' }),
      }),
    )
  })

  it('keep what another user has muted since they were read', async () => {
    const before = (await read('own.test')).muted_types
    const change = (muted_types: readonly string[]) =>
      admin.send('PUT', '/api/domains/own.test/alerts', { muted_types, base_types: before })
    expect(before).toEqual(['NS', 'TXT'])
    expect((await change(['NS', 'TXT', 'MX'])).status).toBe(204)
    expect((await change(['NS'])).status).toBe(204)
    expect((await read('own.test')).muted_types).toEqual(['MX', 'NS'])
    expect((await mute(admin, before)).status).toBe(204)
  })

  it('cannot be muted with other types, or by users who may not see the domain', async () => {
    expect((await mute(admin, ['SOA'])).status).toBe(422)
    expect((await mute(admin, 'NS')).status).toBe(422)
    expect((await mute(await as('edit webs', 'view webs'), ['NS'])).status).toBe(404)
    expect((await mute(await as('view limitis domains'), ['NS'])).status).toBe(403)
    expect((await mute(await as('edit webs', 'view webs'), ['NS'], 'www.web.test')).status).toBe(204)
  })
})
