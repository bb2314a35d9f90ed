import { openDns } from '@kustos/clients/dns'
import { startDnsServer, type Zone } from '@kustos/clients/testing/dns'
import { externalDomains, nodes, ownDomains } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { checkKnownDomains, checkNewDomains, editExternalDomain } from '../src/external-domains/index.ts'
import { createContext } from '../src/platform/context.ts'
import { collectNotifications } from './collect-notifications.ts'

const database = await testDatabase()
const { db } = database
const server = await startDnsServer({})
const dns = openDns({ servers: [server.server], timeoutMs: 100 })
afterAll(async () => {
  dns.close()
  await server.stop()
})

let now = new Date('2026-11-21T12:00:00Z')
const context = createContext(database, null, () => now)
const signal = new AbortController().signal
const advanceHours = (hours: number) => {
  now = new Date(now.getTime() + hours * 3_600_000)
}

const zone: Zone = {
  'hier.test': { SOA: 'ns.kustos.test', A: ['192.0.2.11'] },
  'sechs.test': { SOA: 'ns.kustos.test', AAAA: ['2001:db8:0:0:0:0:0:11'] },
  'nur-www.test': { SOA: 'ns.kustos.test' },
  'www.nur-www.test': { A: ['198.51.100.7', '192.0.2.11'] },
  'namens-node.test': { SOA: 'ns.kustos.test', A: ['192.0.2.77'] },
  'woanders.test': { SOA: 'NS1.Provider.test', A: ['203.0.113.9'] },
  'nur-post.test': { SOA: 'ns.provider.test' },
  'stumm.test': 'timeout',
  'www.stumm.test': 'timeout',
  'hier-ohne-www.test': { SOA: 'ns.test', A: ['192.0.2.11'] },
  'www.hier-ohne-www.test': 'timeout',
  'woanders-ohne-www.test': { SOA: 'ns.test', A: ['203.0.113.9'] },
  'www.woanders-ohne-www.test': 'timeout',
  'abgelehnt.test': 'REFUSED',
  'node-3.test': { A: ['192.0.2.77'] },
}

beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00Z')
  server.state.zone = zone
  server.state.queries = []
  await database.owner.db.execute(sql`truncate ${externalDomains}, ${ownDomains}, ${nodes} cascade`)
  await db.insert(nodes).values([
    { name: 'node-1', plesk_fqdn: 'node-1.test', address: '192.0.2.11' },
    { name: 'node-2', plesk_fqdn: 'node-2.test', address: '2001:0DB8::11' },
    { name: 'node-3', plesk_fqdn: 'node-3.test', address: null },
  ])
})

const addExternal = (...names: readonly string[]) =>
  db
    .insert(externalDomains)
    .values(
      names.map((fqdn) => ({ customer: 'A', domainprovider: 'P', fqdn, fqdn_ascii: fqdn, updated_at: now })),
    )
const addOwn = (...names: readonly string[]) =>
  db
    .insert(ownDomains)
    .values(names.map((fqdn) => ({ customer: 'A', fqdn, fqdn_ascii: fqdn, updated_at: now })))

async function external(fqdn: string) {
  const [row] = await db.select().from(externalDomains).where(eq(externalDomains.fqdn, fqdn))
  return row
}

describe('a new domain', () => {
  test.each([
    ['hier.test', 10, 'ns.kustos.test'],
    ['sechs.test', 10, 'ns.kustos.test'],
    ['nur-www.test', 10, 'ns.kustos.test'],
    ['namens-node.test', 10, 'ns.kustos.test'],
    ['hier-ohne-www.test', 10, 'ns.test'],
    ['woanders.test', 11, 'ns1.provider.test'],
    ['nur-post.test', 12, 'ns.provider.test'],
    ['gibt-es-nicht.test', 12, null],
  ])('%s gets the status %s and the name server %s', async (fqdn, status, mname) => {
    await addExternal(fqdn)
    await addOwn(fqdn)
    expect(await checkNewDomains(context, dns, signal)).toEqual({ checked: 2, unknown: 0 })
    const expected = { mname, checked_at: now, check_error: null, check_error_code: null }
    expect(await external(fqdn)).toMatchObject({ status, ...expected })
    expect(await db.select().from(ownDomains)).toMatchObject([{ status: status - 9, ...expected }])
    expect(await checkNewDomains(context, dns, signal)).toBeNull()
  })

  test.each([
    ['stumm.test', 'No name server responded in time.', 'dns_timeout'],
    ['abgelehnt.test', 'The name server refused the query.', 'dns_refused'],
    ['woanders-ohne-www.test', 'No name server responded in time.', 'dns_timeout'],
  ])('%s gets no status without a conclusive DNS response', async (fqdn, reason, code) => {
    await addExternal(fqdn)
    expect(await checkNewDomains(context, dns, signal)).toEqual({ checked: 1, unknown: 1 })
    expect(await external(fqdn)).toMatchObject({
      status: null,
      checked_at: null,
      check_error: reason,
      check_error_code: code,
      check_error_params: null,
    })
    // It is not queried again at once.
    expect(await checkNewDomains(context, dns, signal)).toBeNull()
  })

  test('is not external while the addresses of a node are unknown', async () => {
    server.state.zone = { ...zone, 'node-3.test': 'SERVFAIL' }
    await addExternal('woanders.test', 'hier.test')
    await checkNewDomains(context, dns, signal)
    expect(await external('hier.test')).toMatchObject({ status: 10 })
    expect(await external('woanders.test')).toMatchObject({
      status: null,
      check_error: 'The addresses of node node-3 could not be determined.',
      check_error_code: 'node_addresses_unknown',
      check_error_params: { node: 'node-3' },
    })
  })

  test('is checked together with all domains that were added with it', async () => {
    await addExternal(...Array.from({ length: 250 }, (_, i) => `kunde-${i}.test`))
    expect(await checkNewDomains(context, dns, signal)).toEqual({ checked: 250, unknown: 0 })
  })

  test('that was renamed meanwhile is checked under its new name', async () => {
    await addExternal('hier.test')
    const [row] = await db.select().from(externalDomains)
    await checkNewDomains(context, dns, signal)
    const input = { fqdn: 'woanders.test', customer: 'A', domainprovider: 'P' }
    await editExternalDomain(context, row?.id ?? 0, input)
    await checkNewDomains(context, dns, signal)
    expect(await external('woanders.test')).toMatchObject({ status: 11, mname: 'ns1.provider.test' })
  })
})

describe('a known domain', () => {
  test('is checked after a day and keeps its results while no name server responds', async () => {
    await addExternal('hier.test')
    await checkNewDomains(context, dns, signal)
    const first = now
    advanceHours(23)
    expect(await checkKnownDomains(context, dns, signal)).toBeNull()
    server.state.zone = { ...zone, 'hier.test': 'timeout', 'www.hier.test': 'timeout' }
    advanceHours(2)
    expect(await checkKnownDomains(context, dns, signal)).toEqual({ checked: 1, unknown: 1 })
    expect(await external('hier.test')).toMatchObject({
      status: 10,
      mname: 'ns.kustos.test',
      checked_at: first,
      check_error: 'No name server responded in time.',
    })
    // It moves to another provider and is checked once more within the hour.
    server.state.zone = { ...zone, 'hier.test': { SOA: 'ns.provider.test', A: ['203.0.113.1'] } }
    const runs = []
    for (let run = 0; run < 6; run++) {
      advanceHours(1 / 6)
      runs.push(await checkKnownDomains(context, dns, signal))
    }
    expect(runs.filter((checked) => checked !== null)).toEqual([{ checked: 1, unknown: 0 }])
    const moved = await external('hier.test')
    expect(moved).toMatchObject({
      status: 11,
      mname: 'ns.provider.test',
      check_error: null,
      check_error_code: null,
    })
    expect(moved?.checked_at?.getTime()).toBeGreaterThan(first.getTime())
  })

  test('keeps its edit time when it is checked', async () => {
    await addExternal('hier.test', 'stumm.test')
    const changed = now
    advanceHours(1)
    await checkNewDomains(context, dns, signal)
    for (const fqdn of ['hier.test', 'stumm.test'])
      expect(await external(fqdn)).toMatchObject({ updated_at: changed })
  })

  test('is checked in one of many small runs if many are due', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `kunde-${i}.test`)
    await addExternal(...names)
    await db.update(externalDomains).set({ checked_at: now, status: 10 })
    advanceHours(25)
    const run = await checkKnownDomains(context, dns, signal)
    expect(run?.checked).toBeLessThan(60)
    // The 144 runs of a day suffice for all of them.
    expect((run?.checked ?? 0) * 144).toBeGreaterThan(500)
  })
})

test('notifies screens once for many domains', async () => {
  await addExternal('hier.test', 'woanders.test', 'gibt-es-nicht.test')
  const notifications = await collectNotifications(database, () => checkNewDomains(context, dns, signal))
  expect(notifications).toEqual(['{"list" : "external_domains"}'])
})

test('changes nothing when a check is aborted', async () => {
  await addExternal('stumm.test')
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error('enough')), 20)
  await expect(checkNewDomains(context, dns, controller.signal)).rejects.toThrow('enough')
  expect(await external('stumm.test')).toMatchObject({ check_error: null })
})

test('notifies no screen of a domain that still cannot be looked up', async () => {
  await addExternal('stumm.test')
  await checkNewDomains(context, dns, signal)
  const runs: unknown[] = []
  const notifications = await collectNotifications(database, async () => {
    for (let run = 0; run < 6; run++) {
      advanceHours(1 / 6)
      runs.push(await checkKnownDomains(context, dns, signal))
    }
  })
  expect(runs.filter((checked) => checked !== null)).toEqual([{ checked: 1, unknown: 1 }])
  expect(notifications).toEqual([])
})
