import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDns } from '@kustos/clients/dns'
import { openPageFetcher } from '@kustos/clients/page'
import { openPlesk } from '@kustos/clients/plesk'
import { openProber } from '@kustos/clients/probe'
import { checkPlesk } from '@kustos/clients/testing/plesk'
import { revisions, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { createContext } from '@kustos/domain/platform/context'
import { refreshWeb } from '@kustos/domain/webs'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { configured, rejectNames, resolveTo, resolveToForeignAddress, startDns } from '../src/dns/index.ts'
import { readInventory } from '../src/inventory.ts'
import { type SandboxPlesk, type Subscription, startPlesk } from '../src/plesk/index.ts'
import { seed } from '../src/seed/index.ts'
import { startSites } from '../src/sites/index.ts'

const hotel: Subscription = {
  id: 7,
  fqdn: 'www.höfe-südtirol.test',
  status: 0,
  sysuser: 'hoefe_34gq',
  disk_usage: 1_234_567_890,
  sites: ['staging.höfe-südtirol.test', 'archiv.höfe-südtirol.test'],
  aliases: ['höfe-südtirol.test', 'm.höfe-südtirol.test'],
}
const [first, second] = [
  { name: 'bz-cloud-01', plesk_fqdn: 'bz-cloud-01.hosting.test' },
  { name: 'ibk-cloud-01', plesk_fqdn: 'ibk-cloud-01.hosting.test' },
]

const database = await testDatabase()
let plesk: SandboxPlesk
let nodesFolder = ''
beforeAll(async () => {
  nodesFolder = await mkdtemp(join(tmpdir(), 'kustos-panels-'))
  const bare = {
    ...hotel,
    id: 8,
    fqdn: 'umleitung.test',
    sysuser: null,
    disk_usage: null,
    sites: [],
    aliases: [],
  }
  const suspended = { ...hotel, id: 9, fqdn: 'alt.test', status: 16, disk_usage: 500, sites: [], aliases: [] }
  plesk = await startPlesk(
    [
      { ...first, subscriptions: [hotel, bare, suspended] },
      { ...second, subscriptions: [{ ...hotel, id: 10, fqdn: 'berg.test', status: 64 }] },
    ],
    nodesFolder,
  )
})
afterAll(async () => {
  await plesk.stop()
  await rm(nodesFolder, { recursive: true, force: true })
})

/** The settings as the programs read them. */
function readSettings() {
  const read = readConfiguration({
    PLESK_API_KEYS: plesk.keys,
    PLESK_CERTIFICATES: plesk.certificates,
    CONNECT_TO: plesk.connectTo,
  })
  if (!read.ok) throw new Error(read.sentence)
  const { PLESK_API_KEYS: keys, PLESK_CERTIFICATES: certificates, CONNECT_TO: connectTo } = read.configuration
  return { keys, certificates, connectTo, timeoutMs: 2_000 }
}
function openClient() {
  const client = openPlesk(readSettings())
  onTestFinished(() => client.close())
  return client
}

describe("fulfils the client's contract", () => {
  checkPlesk(() => ({ settings: readSettings(), node: first, fqdn: hotel.fqdn }))
})

test('returns a subscription with its status and rounded size', async () => {
  const { subscription } = openClient()
  const found = await subscription(first, hotel.fqdn)
  expect(found).toMatchObject({
    status: 0,
    sysuser: 'hoefe_34gq',
    sites: [...hotel.sites].sort(),
    aliases: [...hotel.aliases].sort(),
    problems: [],
  })
  const usage = found?.disk_usage ?? 0
  expect(usage).not.toBe(hotel.disk_usage)
  expect(Math.abs(usage - 1_234_567_890) / 1_234_567_890).toBeLessThan(0.06)
  expect(await subscription(first, 'alt.test')).toMatchObject({ status: 16, disk_usage: 500 })
  expect(await subscription(second, 'berg.test')).toMatchObject({ status: 16 })
  expect(await subscription(first, 'umleitung.test')).toMatchObject({
    sysuser: null,
    disk_usage: null,
    problems: [],
  })
})

test('adds provisioned webs to the panel of their node only', async () => {
  const fqdn = 'neue-höfe.test'
  const { subscription } = openClient()
  expect(await subscription(first, fqdn)).toBeNull()
  const folder = join(nodesFolder, first.name, 'webs', 'xn--neue-hfe-s4a.test')
  await mkdir(join(folder, 'httpdocs'), { recursive: true })
  await writeFile(join(folder, 'httpdocs', 'index.html'), 'x'.repeat(5_000))
  const written = { fqdn: 'xn--neue-hfe-s4a.test', sysuser: 'bn12_neu', customer: 'ALPEN' }
  await writeFile(join(folder, 'subscription.json'), JSON.stringify(written))
  const found = await subscription(first, fqdn)
  expect(found).toMatchObject({ status: 0, sysuser: 'bn12_neu', sites: [], aliases: [], problems: [] })
  expect(Math.abs((found?.disk_usage ?? 0) - 5_000)).toBeLessThan(500)
  expect(await subscription(second, fqdn)).toBeNull()
})

test('returns only the subscriptions of its own node', async () => {
  expect(await openClient().subscription(second, hotel.fqdn)).toBeNull()
})

test.each([
  ['down', 'service_unreachable'],
  ['errors', 'plesk_out_of_order'],
  ['silent', 'service_timed_out'],
])('can set one panel to %s without affecting the others', async (mode, code) => {
  const setHealth = async (mode: string) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        method: 'PUT',
        headers: { host: first.plesk_fqdn },
        servername: first.plesk_fqdn,
        rejectUnauthorized: false,
        agent: false,
      }
      request(`https://127.0.0.1:${plesk.port}/_sandbox/health/${mode}`, options, resolve)
        .once('error', reject)
        .end()
    })
    response.resume()
    expect(response.statusCode).toBe(200)
  }
  await setHealth(mode)
  const { subscription } = openClient()
  await expect(subscription(first, hotel.fqdn)).rejects.toMatchObject({ codedMessage: { code } })
  expect(await subscription(second, 'berg.test')).toMatchObject({ sysuser: 'hoefe_34gq' })
  await setHealth('ok')
  expect(await subscription(first, hotel.fqdn)).toMatchObject({ sysuser: 'hoefe_34gq' })
})

test('refreshes all webs, which a second refresh leaves unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-plesk-'))
  await seed(database.owner.db, { webs: 60 })
  const { hosted, offline, extern, addresses, nodes } = await readInventory(database.url)
  await mkdir(join(folder, 'nodes'))
  const sites = await startSites({
    folder: join(folder, 'authority'),
    nodesFolder: join(folder, 'nodes'),
    webs: hosted,
  })
  const names = await startDns([
    rejectNames(offline),
    resolveToForeignAddress(extern),
    configured((host) => addresses.get(host)),
    resolveTo('127.0.0.1'),
  ])
  const panels = await startPlesk(nodes, join(folder, 'nodes'))
  const read = readConfiguration({
    PLESK_API_KEYS: panels.keys,
    PLESK_CERTIFICATES: panels.certificates,
  })
  if (!read.ok) throw new Error(read.sentence)
  const reach = {
    connectTo: `${panels.connectTo},${sites.connectTo}`,
    dnsServers: [names.server],
    authorities: [await readFile(sites.authorityFile, 'utf8')],
  }
  const { PLESK_API_KEYS: keys, PLESK_CERTIFICATES: certificates } = read.configuration
  const tools = {
    plesk: openPlesk({ ...reach, keys, certificates }),
    dns: openDns({ servers: [names.server] }),
    prober: openProber({ ...reach, resumes: false, deadlineMs: 6_000 }),
    pages: openPageFetcher(reach),
    secretBox: null,
    secrets: [],
  }
  onTestFinished(async () => {
    await tools.plesk.close()
    tools.dns.close()
    await tools.prober.close()
    tools.pages.close()
    await Promise.all([panels, names, sites].map(({ stop }) => stop()))
    await rm(folder, { recursive: true, force: true })
  })
  const context = createContext(database)
  const { signal } = new AbortController()
  const refresh = (id: number) => refreshWeb(context, tools, id, { requestedBy: null, signal })
  const all = () => database.db.select().from(webs).orderBy(asc(webs.id))

  const before = (await all()).filter((web) => web.deleted_at === null)
  const outcomes = await Promise.all(before.map(({ id }) => refresh(id)))
  expect(outcomes.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(30)
  expect(
    outcomes.flatMap(({ problems }) => problems).filter(({ code }) => /^(plesk|service)_/.test(code)),
  ).toEqual([])
  const known = new Map((await all()).map((web) => [web.id, web]))
  for (const { id, fqdn, domain_status, node_id, sites: own, aliases, sysuser, framework_name } of before) {
    const after = known.get(id)
    if (domain_status !== null) expect([fqdn, after?.domain_status]).toEqual([fqdn, domain_status])
    if (node_id === null) continue
    expect(after).toMatchObject({ sites: own, aliases, sysuser, framework_name })
  }

  const readRevision = () => database.db.select().from(revisions).where(eq(revisions.list, 'webs'))
  const revisionBefore = await readRevision()
  const unchanged = before.filter((_, index) => outcomes[index]?.state === 'succeeded').slice(0, 10)
  for (const { id } of unchanged) expect(await refresh(id)).toEqual({ state: 'succeeded', problems: [] })
  expect(await readRevision()).toEqual(revisionBefore)
})
