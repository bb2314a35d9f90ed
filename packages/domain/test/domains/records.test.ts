import { openDns } from '@kustos/clients/dns'
import { startDnsServer, type Zone } from '@kustos/clients/testing/dns'
import { dnsTypes } from '@kustos/contract/domains'
import {
  alertRoutes,
  alerts,
  dnsRecordSets,
  externalDomains,
  logEntries,
  maintenanceOccurrences,
  maintenanceScopes,
  maintenanceWindows,
  users,
  watchedDomains,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq, gt, isNull, max, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { checkDueMail, checkDueRecords, markDomainDue, syncWatchedDomains } from '../../src/domains/index.ts'
import { createContext } from '../../src/platform/context.ts'
import { addChannel, addRoute } from '../monitoring/add-route.ts'
import { openAlerting } from '../monitoring/alert-environment.ts'

const database = await testDatabase()
const { db } = database
const { tools: alertTools } = await openAlerting(database)
const server = await startDnsServer({})
const dns = openDns({ servers: [server.server], timeoutMs: 100 })
afterAll(async () => {
  dns.close()
  await server.stop()
})

const start = new Date('2026-11-21T12:00:00Z')
let now = start
let lastLogId = 0
const context = createContext(database, null, () => now)
const { signal } = new AbortController()
const settings = { alertTypes: dnsTypes.filter((type) => type !== 'TXT') }

const zone: Zone = {
  'a.test': { A: ['192.0.2.1'], NS: ['ns1.test', 'ns2.test'], MX: ['10 mail.test'], TXT: ['v=spf1 -all'] },
  'www.a.test': { A: ['192.0.2.1'] },
}

beforeEach(async () => {
  now = start
  server.state.zone = zone
  await database.owner.db.execute(
    sql`truncate ${watchedDomains}, ${externalDomains}, ${webs}, ${alerts} cascade`,
  )
  // The log can only grow.
  const [last] = await db.select({ id: max(logEntries.id) }).from(logEntries)
  lastLogId = last?.id ?? 0
  await db
    .insert(externalDomains)
    .values({ customer: 'A', fqdn: 'a.test', fqdn_ascii: 'a.test', domainprovider: 'P' })
  await db.insert(webs).values({
    customer: 'A',
    fqdn: 'www.a.test',
    fqdn_ascii: 'www.a.test',
    configured_ip: '192.0.2.1',
    monitoring_web_reporting_channel: 'slack',
  })
  await syncWatchedDomains(context)
})

const read = () => checkDueRecords(context, { dns, alerts: alertTools }, settings, signal)

/** Reads at once, and again as often as the names are due within this time. */
async function readFor(minutes: number) {
  const until = now.getTime() + minutes * 60_000
  await db.update(watchedDomains).set({ dns_due_at: now })
  for (;;) {
    await read()
    const [next] = await db
      .select({ at: watchedDomains.dns_due_at })
      .from(watchedDomains)
      .orderBy(asc(watchedDomains.dns_due_at))
    if (!next?.at || next.at.getTime() > until) break
    now = next.at
  }
  now = new Date(until)
}

const passDays = (days: number) => {
  now = new Date(now.getTime() + days * 86_400_000)
}

const change = (name: string, records: Exclude<Zone[string], string>) => {
  const before = server.state.zone[name]
  server.state.zone = {
    ...server.state.zone,
    [name]: { ...(typeof before === 'object' ? before : {}), ...records },
  }
}

const setsOf = (host: string, type: string) =>
  db
    .select({
      records: dnsRecordSets.records,
      first: dnsRecordSets.first_seen_at,
      last: dnsRecordSets.last_seen_at,
      isCurrent: dnsRecordSets.is_current,
    })
    .from(dnsRecordSets)
    .where(sql`${dnsRecordSets.host} = ${host} and ${dnsRecordSets.type} = ${type}`)
    .orderBy(dnsRecordSets.id)
const titles = async () =>
  (await db.select({ content: alerts.content, channel: alerts.channel }).from(alerts).orderBy(alerts.id)).map(
    ({ content, channel }) => `${channel}: ${content.title}`,
  )
const log = () =>
  db
    .select({
      description: logEntries.description,
      type: logEntries.subject_type,
      properties: logEntries.properties,
    })
    .from(logEntries)
    .where(gt(logEntries.id, lastLogId))
    .orderBy(logEntries.id)

/** Plans maintenance of all websites from now on. */
async function maintain(minutes: number) {
  const web_ids = (await db.select({ id: webs.id }).from(webs)).map(({ id }) => id)
  const [user] = await db
    .insert(users)
    .values({ email: `${web_ids}@kustos.test`, name: 'X', password_hash: '' })
    .returning()
  const [scope] = await db
    .insert(maintenanceScopes)
    .values({ web_ids, node_ids: [], customers: [], tags: [] })
    .returning()
  const times = { starts_at: now, ends_at: new Date(now.getTime() + minutes * 60_000) }
  const stored = { scope_id: scope?.id ?? 0, planned_by: user?.id ?? 0, ...times }
  const [window] = await db
    .insert(maintenanceWindows)
    .values({ reason: 'Move', repeats: 'once', weekdays: [], month_days: [], ...stored })
    .returning()
  await db
    .insert(maintenanceOccurrences)
    .values({ window_id: window?.id ?? 0, scope_id: stored.scope_id, ...times })
}

describe('the watched names', () => {
  const names = async () => {
    const { name, unlisted_since } = watchedDomains
    const rows = await db.select({ name }).from(watchedDomains).where(isNull(unlisted_since)).orderBy(name)
    return rows.map((row) => row.name)
  }

  test('are those of the lists and websites, and the domains that these belong to', async () => {
    await db
      .insert(webs)
      .values({ customer: 'B', fqdn: 'x.b.co.uk', fqdn_ascii: 'x.b.co.uk', configured_ip: '::1' })
    expect(await syncWatchedDomains(context)).toEqual({ added: 2, removed: 0 })
    expect(await names()).toEqual(['a.test', 'b.co.uk', 'www.a.test', 'x.b.co.uk'])
    expect(await syncWatchedDomains(context)).toBeNull()
    await db.update(webs).set({ deleted_at: now }).where(eq(webs.fqdn, 'x.b.co.uk'))
    expect(await syncWatchedDomains(context)).toEqual({ added: 0, removed: 2 })
    expect(await syncWatchedDomains(context)).toBeNull()
    expect(await names()).toEqual(['a.test', 'www.a.test'])
  })

  test('keep their history for thirty days when they are removed, and are not read meanwhile', async () => {
    await read()
    await db
      .update(watchedDomains)
      .set({ muted_types: ['MX'] })
      .where(eq(watchedDomains.name, 'www.a.test'))
    const stored = () => db.select().from(watchedDomains).where(eq(watchedDomains.name, 'www.a.test'))
    const [before] = await stored()
    const sets = await setsOf('www.a.test', 'A')

    await db.update(webs).set({ deleted_at: now }).where(eq(webs.fqdn, 'www.a.test'))
    expect(await syncWatchedDomains(context)).toEqual({ added: 0, removed: 1 })
    passDays(29)
    await syncWatchedDomains(context)
    expect(await read()).toMatchObject({ checked: 1 })

    await db.update(webs).set({ deleted_at: null }).where(eq(webs.fqdn, 'www.a.test'))
    expect(await syncWatchedDomains(context)).toEqual({ added: 1, removed: 0 })
    expect(await stored()).toMatchObject([
      { id: before?.id, muted_types: ['MX'], dns_due_at: now, mail_due_at: null, unlisted_since: null },
    ])
    expect(await setsOf('www.a.test', 'A')).toEqual(sets)

    await db.update(webs).set({ deleted_at: now }).where(eq(webs.fqdn, 'www.a.test'))
    await syncWatchedDomains(context)
    passDays(31)
    await syncWatchedDomains(context)
    expect(await stored()).toEqual([])
  })

  test('stay while a website needs the domain', async () => {
    await database.owner.db.execute(sql`truncate ${externalDomains}`)
    await syncWatchedDomains(context)
    expect(await names()).toEqual(['a.test', 'www.a.test'])
  })

  test('have the mail of domains and of listed hosts checked', async () => {
    const withMail = async () =>
      (await db.select().from(watchedDomains).orderBy(watchedDomains.name)).flatMap(
        ({ name, mail_due_at }) => (mail_due_at === null ? [] : [name]),
      )
    expect(await withMail()).toEqual(['a.test'])
    const host = { customer: 'A', fqdn: 'www.a.test', fqdn_ascii: 'www.a.test', domainprovider: 'P' }
    await db.insert(externalDomains).values(host)
    await syncWatchedDomains(context)
    expect(await withMail()).toEqual(['a.test', 'www.a.test'])
  })
})

describe('DNS records', () => {
  test('are stored by the first reading, which is no change', async () => {
    expect(await read()).toEqual({ checked: 2, changed: 0, unknown: 0 })
    expect(await setsOf('a.test', 'NS')).toMatchObject([
      { records: ['ns1.test', 'ns2.test'], first: start, last: null },
    ])
    expect(await setsOf('a.test', 'TXT')).toMatchObject([{ records: ['v=spf1 -all'] }])
    expect(await setsOf('_dmarc.a.test', 'TXT')).toMatchObject([{ records: [] }])
    expect(await titles()).toEqual([])
    expect(await log()).toEqual([])
    expect(await read()).toBeNull()
  })

  test('are read about once an hour', async () => {
    await read()
    const [first] = await db.select().from(watchedDomains)
    const minutes = ((first?.dns_due_at?.getTime() ?? 0) - start.getTime()) / 60_000
    expect(minutes).toBeGreaterThan(55)
    expect(minutes).toBeLessThan(65)
    await db.transaction((tx) => markDomainDue(tx, 'www.a.test', now))
    expect(await read()).toMatchObject({ checked: 2 })
  })

  test('do not change with their order and their time to live', async () => {
    await read()
    change('a.test', { NS: ['NS2.test.', 'ns1.test'], ttl: 5 })
    await readFor(200)
    expect(await setsOf('a.test', 'NS')).toHaveLength(1)
  })

  test('that have changed are confirmed, stored, logged and alerted once', async () => {
    await read()
    change('a.test', { NS: ['ns.evil.test'] })
    const changedAt = new Date(now)
    await readFor(5)
    expect(await setsOf('a.test', 'NS')).toHaveLength(1)
    await readFor(200)
    expect(await setsOf('a.test', 'NS')).toMatchObject([
      { records: ['ns1.test', 'ns2.test'], isCurrent: false, last: start },
      { records: ['ns.evil.test'], isCurrent: true, first: changedAt, last: null },
    ])
    expect(await titles()).toEqual(['slack: DNS of a.test: NS changed'])
    expect(await log()).toMatchObject([
      {
        description: 'dns changed',
        type: 'web',
        properties: { attributes: { host: 'a.test', type: 'NS', records: ['ns.evil.test'] } },
      },
    ])
  })

  test('that failed are no change, and were last seen before', async () => {
    await read()
    await readFor(70)
    const lastSeen = await db
      .select({ at: watchedDomains.dns_read_at })
      .from(watchedDomains)
      .where(eq(watchedDomains.name, 'a.test'))
    server.state.zone = { ...zone, 'a.test': 'SERVFAIL' }
    await readFor(130)
    const sets = await setsOf('a.test', 'A')
    expect(sets).toMatchObject([{ records: ['192.0.2.1'], isCurrent: true, last: lastSeen[0]?.at }])
    const [row] = await db.select().from(watchedDomains).where(eq(watchedDomains.name, 'a.test'))
    expect(row?.dns_state.failures?.['a.test A']).toMatchObject({ code: 'dns_failure_unconfirmed' })
    server.state.zone = zone
    await readFor(70)
    expect(await setsOf('a.test', 'A')).toMatchObject([{ last: null }])
    expect(await titles()).toEqual([])
  })

  test('with characters that cannot be stored are compared like others', async () => {
    await read()
    change('a.test', { TXT: ['zero\u0000byte'] })
    await readFor(70)
    expect(await setsOf('a.test', 'TXT')).toMatchObject([
      { records: ['v=spf1 -all'], isCurrent: false },
      { records: ['zero\ufffdbyte'], isCurrent: true, last: null },
    ])
    await readFor(200)
    expect(await setsOf('a.test', 'TXT')).toHaveLength(2)
    expect(await setsOf('a.test', 'TXT')).toMatchObject([{}, { last: null }])
  })

  test('that rotate do not flap', async () => {
    await read()
    for (let turn = 0; turn < 30; turn++) {
      change('www.a.test', { A: [turn % 2 === 0 ? '192.0.2.2' : '192.0.2.1'] })
      await readFor(5)
    }
    expect(await setsOf('www.a.test', 'A')).toHaveLength(1)
    expect(await titles()).toEqual([])
  })

  test.each<[string, string, Exclude<Zone[string], string>, string[]]>([
    ['addresses of websites', 'www.a.test', { A: ['203.0.113.1'] }, ['slack: DNS of www.a.test: A changed']],
    [
      'websites that become an alias',
      'www.a.test',
      { CNAME: 'cdn.test' },
      ['slack: DNS of www.a.test: CNAME changed'],
    ],
    ['mail servers', 'a.test', { MX: ['10 other.test'] }, ['slack: DNS of a.test: MX changed']],
    ['texts, which are only logged', 'a.test', { TXT: ['v=spf1 +all'] }, []],
    ['addresses of domains without a website, which are only logged', 'a.test', { A: ['203.0.113.1'] }, []],
  ])('alert %s', async (_, name, records, expected) => {
    await read()
    change(name, records)
    await readFor(30)
    expect(await titles()).toEqual(expected)
    expect(await log()).toHaveLength(1)
  })

  test('behind an alias are not alerted', async () => {
    change('www.a.test', { CNAME: 'cdn.test' })
    await read()
    change('www.a.test', { A: ['203.0.113.1'] })
    await readFor(30)
    expect(await setsOf('www.a.test', 'A')).toHaveLength(2)
    expect(await titles()).toEqual([])
  })

  test('of muted types are not alerted', async () => {
    await read()
    await db.update(watchedDomains).set({ muted_types: ['NS'] })
    change('a.test', { NS: ['ns9.test'], MX: ['5 other.test'] })
    await readFor(30)
    expect(await titles()).toEqual(['slack: DNS of a.test: MX changed'])
  })

  test('that change during maintenance are alerted at its end, unless they were undone', async () => {
    await read()
    await maintain(150)
    change('www.a.test', { A: ['203.0.113.1'] })
    change('a.test', { NS: ['ns9.test'] })
    await readFor(70)
    expect(await setsOf('www.a.test', 'A')).toHaveLength(2)
    change('www.a.test', { A: ['203.0.113.2'] })
    change('a.test', { NS: ['ns1.test', 'ns2.test'] })
    await readFor(75)
    expect(await setsOf('www.a.test', 'A')).toHaveLength(3)
    expect(await titles()).toEqual([])
    const alertedAt = async () =>
      (await db.select().from(dnsRecordSets)).flatMap(({ alerted_at }) => alerted_at ?? [])
    expect(await alertedAt()).toEqual([])
    await readFor(10)
    expect(await titles()).toEqual(['slack: DNS of www.a.test: A changed'])
    const [alert] = await db.select().from(alerts)
    expect(alert?.content.lines).toContain('www.a.test A: 192.0.2.1 → 203.0.113.2')
    expect(await alertedAt()).toEqual([new Date(start.getTime() + 150 * 60_000)])
    await readFor(200)
    expect(await titles()).toHaveLength(1)
  })

  test('are alerted during maintenance that does not cover all websites that they concern', async () => {
    await read()
    await maintain(150)
    const shop = { customer: 'A', fqdn: 'shop.a.test', fqdn_ascii: 'shop.a.test', configured_ip: '192.0.2.1' }
    await db.insert(webs).values(shop)
    await syncWatchedDomains(context)
    change('a.test', { NS: ['ns9.test'] })
    change('www.a.test', { A: ['203.0.113.1'] })
    await readFor(70)
    expect(await titles()).toEqual(['slack: DNS of a.test: NS changed'])
  })

  test('are alerted to the channels of routes that match a website of the domain', async () => {
    const desk = await addChannel(db, 'Desk')
    await db.update(webs).set({ tags: ['shop:large'] })
    const steps = [{ after_minutes: 0, channels: [desk], rotas: [] }]
    await addRoute(db, { severities: ['dns'], tags: ['shop'], steps })
    await addRoute(db, { severities: ['dns'], tags: ['legal'], steps: [], position: 2 })
    await read()
    change('a.test', { NS: ['ns9.test'] })
    await readFor(30)
    await db.delete(alertRoutes)
    const title = 'DNS of a.test: NS changed'
    expect((await titles()).toSorted()).toEqual([`channel: ${title}`, `slack: ${title}`])
  })

  test('of many domains that change at once are one message', async () => {
    const names = ['b.test', 'c.test', 'd.test']
    await db
      .insert(externalDomains)
      .values(names.map((name) => ({ customer: 'B', fqdn: name, fqdn_ascii: name, domainprovider: 'P' })))
    await syncWatchedDomains(context)
    await db.execute(sql`update customers set alert_channels = '{telegram}' where code = 'B'`)
    const all = (ns: string) => Object.fromEntries(names.map((name) => [name, { NS: [ns] }]))
    server.state.zone = { ...zone, ...all('ns1.test') }
    await readFor(1)
    server.state.zone = { ...zone, ...all('ns9.test') }
    await readFor(30)
    expect(await titles()).toEqual(['telegram: DNS of 3 domains changed'])
    expect((await log()).map(({ type }) => type)).toEqual(Array(3).fill('external_domain'))
  })

  test('that an alias replaces have changed, whatever its target has', async () => {
    change('www.a.test', { TXT: ['own'], MX: ['10 own.test'] })
    await read()
    // Name servers follow an alias for each type.
    change('www.a.test', { CNAME: 'shop.test', TXT: ['of the target'], MX: ['10 target.test'] })
    await readFor(70)
    for (const [type, before] of [
      ['TXT', ['own']],
      ['MX', ['10 own.test']],
    ] as const)
      expect(await setsOf('www.a.test', type)).toMatchObject([
        { records: before, isCurrent: false },
        { records: [], isCurrent: true, last: null },
      ])
  })

  test('that may be those of the target of an alias have not changed while it cannot be looked up', async () => {
    change('www.a.test', { CNAME: 'a.test', NS: ['ns1.test'], MX: ['10 mail.test'] })
    await read()
    change('www.a.test', { broken: ['CNAME'] })
    await readFor(70)
    expect(await setsOf('www.a.test', 'MX')).toMatchObject([{ records: [], isCurrent: true, last: start }])
    change('www.a.test', { A: ['203.0.113.1'] })
    await readFor(70)
    expect(await setsOf('www.a.test', 'A')).toHaveLength(2)
    expect(await titles()).toEqual([])
  })

  test('of names that are no longer watched are not stored', async () => {
    const reading = read()
    await database.owner.db.execute(sql`truncate ${watchedDomains} cascade`)
    await reading
    expect(await db.$count(dnsRecordSets)).toBe(0)
  })
})

test('e-mail security is checked daily, and after its records have changed', async () => {
  const check = () => checkDueMail(context, dns, ['s1'], signal)
  expect(await check()).toEqual({ checked: 1, unknown: 0 })
  const state = async () =>
    (await db.select().from(watchedDomains).where(eq(watchedDomains.name, 'a.test')))[0]
  expect(await state()).toMatchObject({ mail_state: 'warning', mail: { checked_at: start.toISOString() } })
  expect(await check()).toBeNull()
  await read()
  change('a.test', { TXT: ['v=spf1 +all'] })
  await readFor(30)
  expect(await check()).toMatchObject({ checked: 1 })
  expect(await state()).toMatchObject({ mail_state: 'critical' })

  // What is known stays for some days.
  server.state.zone = { ...zone, '_dmarc.a.test': 'SERVFAIL' }
  const known = (await state())?.mail
  now = new Date(now.getTime() + 26 * 3_600_000)
  expect(await check()).toEqual({ checked: 1, unknown: 1 })
  expect((await state())?.mail).toEqual(known)
  now = new Date(now.getTime() + 72 * 3_600_000)
  await check()
  expect(await state()).toMatchObject({ mail: { checked_at: now.toISOString() } })
})

test('a name that becomes due while it is being checked is checked again', async () => {
  const dueOf = async () => {
    const rows = await db.select().from(watchedDomains).where(eq(watchedDomains.name, 'a.test'))
    return rows[0] && { dns: rows[0].dns_due_at, mail: rows[0].mail_due_at }
  }
  let requestedAt: Date | null = null
  const interrupted = {
    ...dns,
    async records(...lookup: Parameters<typeof dns.records>) {
      const answer = await dns.records(...lookup)
      if (requestedAt === null) {
        now = new Date(now.getTime() + 1_000)
        requestedAt = now
        await db.transaction((tx) => markDomainDue(tx, 'a.test', now))
      }
      return answer
    },
  }
  await checkDueRecords(context, { dns: interrupted, alerts: alertTools }, settings, signal)
  expect(await dueOf()).toEqual({ dns: requestedAt, mail: requestedAt })
  requestedAt = null
  await checkDueMail(context, interrupted, ['s1'], signal)
  expect(await dueOf()).toEqual({ dns: requestedAt, mail: requestedAt })

  // A name that has left the lists meanwhile stays as it is.
  const unlisted = {
    ...dns,
    async records(...lookup: Parameters<typeof dns.records>) {
      await db.update(watchedDomains).set({ unlisted_since: now, dns_due_at: null, mail_due_at: null })
      return dns.records(...lookup)
    },
  }
  await checkDueMail(context, unlisted, ['s1'], signal)
  expect(await dueOf()).toEqual({ dns: null, mail: null })
  await db.update(watchedDomains).set({ dns_due_at: now })
  await checkDueRecords(context, { dns: unlisted, alerts: alertTools }, settings, signal)
  expect(await dueOf()).toEqual({ dns: null, mail: null })
})

test('a DKIM key that its domain has removed is no longer current, also if the check of its mail saw that first', async () => {
  const host = 's1._domainkey.a.test'
  const key = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
  server.state.zone = { ...zone, [host]: { TXT: [key] } }
  const check = () => checkDueMail(context, dns, ['s1'], signal)
  await check()
  await read()
  expect(await setsOf(host, 'TXT')).toMatchObject([{ records: [key], isCurrent: true }])

  server.state.zone = zone
  await db.transaction((tx) => markDomainDue(tx, 'a.test', now))
  await check()
  await readFor(70)
  expect(await setsOf(host, 'TXT')).toMatchObject([
    { records: [key], isCurrent: false },
    { records: [], isCurrent: true },
  ])
})
