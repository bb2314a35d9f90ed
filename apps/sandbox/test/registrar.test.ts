import { Resolver } from 'node:dns/promises'
import { openDns } from '@kustos/clients/dns'
import { openRegistrar } from '@kustos/clients/registrar'
import { checkRegistrar } from '@kustos/clients/testing/registrar'
import { domainStateOf } from '@kustos/contract/external-domains'
import { externalDomains, logEntries, ownDomains } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { checkKnownDomains, checkNewDomains, listExternalDomains } from '@kustos/domain/external-domains'
import { listEmails, listOwnDomains, syncRegistrar } from '@kustos/domain/limitis'
import { createContext } from '@kustos/domain/platform/context'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  registeredDomains,
  rejectNames,
  resolveTo,
  resolveToForeignAddress,
  startDns,
} from '../src/dns/index.ts'
import { readInventory } from '../src/inventory.ts'
import { type SandboxRegistrar, startRegistrar } from '../src/registrar/index.ts'
import { externalSeedDomains, ownSeedDomains } from '../src/seed/domains.ts'
import { seed } from '../src/seed/index.ts'

let registrar: SandboxRegistrar
beforeAll(async () => {
  registrar = await startRegistrar()
})
afterAll(() => registrar.stop())

const openClient = () => {
  const { url, token } = registrar
  const client = openRegistrar({ url, token, retryDelaysMs: [] })
  onTestFinished(() => client.close())
  return client
}

async function injectFault(mode: string): Promise<void> {
  const setHealth = (value: string) =>
    fetch(new URL(`/_sandbox/health/${value}`, registrar.url), { method: 'PUT' })
  expect((await setHealth(mode)).status).toBe(200)
  onTestFinished(async () => void (await setHealth('ok')))
}

describe("fulfils the client's contract", () => {
  checkRegistrar(() => registrar)
})

test('has some 40 domains and 60 mailboxes on several pages', async () => {
  const { entries: domains } = await openClient().domains()
  const { entries: mailboxes } = await openClient().mailboxes()
  expect(domains.length).toBeGreaterThanOrEqual(40)
  expect(domains.length).toBeLessThan(60)
  expect(mailboxes.length).toBeGreaterThanOrEqual(60)
  expect(new Set(mailboxes.map(({ type }) => type))).toEqual(new Set(['mailbox', 'forward', 'catch-all']))
  expect(domains.some(({ fqdn }) => /[äöüß]/.test(fqdn))).toBe(true)
  expect((await openClient().domains()).entries).toEqual(domains)
})

test.each([
  ['down', /the connection was lost/],
  ['errors', /server error/],
  ['half', /the connection was lost/],
])('can be set to %s', async (mode, sentence) => {
  await injectFault(mode)
  await expect(openClient().domains()).rejects.toThrow(sentence)
})

test('can return empty lists', async () => {
  await injectFault('empty')
  expect(await openClient().domains()).toEqual({ entries: [], unreadable: [] })
})

describe('the seeded database', async () => {
  const database = await testDatabase()
  const { db } = database
  const context = createContext(database)
  const signal = new AbortController().signal

  test('has domains in every status, which checks confirm', async () => {
    await seed(database.owner.db, { webs: 60 })
    const { hosted, offline, extern } = await readInventory(database.url)
    const names = await startDns([
      registeredDomains([...ownSeedDomains, ...externalSeedDomains], new Set(hosted.keys())),
      rejectNames(offline),
      resolveToForeignAddress(extern),
      resolveTo('127.0.0.1'),
    ])
    const dns = openDns({ servers: [names.server], timeoutMs: 250 })
    onTestFinished(async () => {
      dns.close()
      await names.stop()
    })
    const listed = await listExternalDomains(context)
    expect(listed).toHaveLength(25)
    const collectStates = (rows: readonly { status: number | null }[]) =>
      new Set(rows.map(({ status }) => domainStateOf(status)))
    expect(collectStates(listed)).toEqual(new Set(['ok', 'extern', 'error', 'unknown']))

    // All of them are due again on the next day.
    const tomorrow = createContext(database, null, () => new Date(Date.now() + 25 * 3_600_000))
    await checkKnownDomains(tomorrow, dns, signal)
    await checkKnownDomains(tomorrow, dns, signal)
    const pickChecked = ({ fqdn, status, mname, check_error }: (typeof listed)[number]) => ({
      fqdn,
      status,
      mname,
      check_error,
    })
    expect((await listExternalDomains(context)).map(pickChecked)).toEqual(listed.map(pickChecked))

    await syncRegistrar(context, openClient())
    expect(await checkNewDomains(context, dns, signal)).toEqual({
      checked: ownSeedDomains.length,
      unknown: 1,
    })
    const { rows } = await listOwnDomains(context)
    expect(collectStates(rows)).toEqual(new Set(['ok', 'extern', 'error', 'unknown']))
    expect(rows.filter(({ status }) => status === 1).length).toBeGreaterThan(25)
    expect((await listEmails(context)).rows.length).toBeGreaterThanOrEqual(60)
  })

  test('has no domain zones that override the webs', async () => {
    const { hosted, offline, extern } = await readInventory(database.url)
    const webZones = [rejectNames(offline), resolveToForeignAddress(extern), resolveTo('127.0.0.1')]
    const domainZone = registeredDomains([...ownSeedDomains, ...externalSeedDomains], new Set(hosted.keys()))
    const servers = await Promise.all([startDns(webZones), startDns([domainZone, ...webZones])])
    onTestFinished(async () => void (await Promise.all(servers.map(({ stop }) => stop()))))
    const [resolveWithout, resolveWith] = servers.map(({ server }) => {
      const resolver = new Resolver({ timeout: 1_000, tries: 1 })
      resolver.setServers([server])
      return (host: string) => resolver.resolve4(host).catch((error: unknown) => String(error))
    })
    expect(hosted.size).toBeGreaterThan(50)
    for (const host of hosted.keys())
      expect([host, await resolveWith?.(host)]).toEqual([host, await resolveWithout?.(host)])
  })

  test('does not change when the registrar fails half-way', async () => {
    const before = await listOwnDomains(context)
    await injectFault('half')
    await expect(syncRegistrar(context, openClient())).rejects.toMatchObject({ kind: 'upstream' })
    const after = await listOwnDomains(context)
    expect(after.rows).toEqual(before.rows)
    expect(after.staleSeconds).not.toBeNull()
  })

  test('does not get deleted external domains back at the next start', async () => {
    const [first] = await listExternalDomains(context)
    await db.delete(externalDomains).where(eq(externalDomains.id, first?.id ?? 0))
    await seed(database.owner.db, { webs: 60 })
    expect(await listExternalDomains(context)).toHaveLength(24)
    expect(await db.$count(logEntries, eq(logEntries.log_name, 'external-domains'))).toBe(25)
  })

  test('has no domain in both lists', async () => {
    const own = new Set((await db.select().from(ownDomains)).map(({ fqdn_ascii }) => fqdn_ascii))
    const external = await db.select().from(externalDomains)
    expect(external.filter(({ fqdn_ascii }) => own.has(fqdn_ascii))).toEqual([])
  })
})
