import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { openDns } from '@kustos/clients/dns'
import { openPageFetcher } from '@kustos/clients/page'
import { openPlesk } from '@kustos/clients/plesk'
import { openProber } from '@kustos/clients/probe'
import { makeAuthority } from '@kustos/clients/testing/certificates'
import { startDnsServer, type Zone } from '@kustos/clients/testing/dns'
import { startPleskServer } from '@kustos/clients/testing/plesk-server'
import { logEntries, nodes, revisions, users, webFacts, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { contextOf } from '../src/context.ts'
import { refreshWeb } from '../src/webs/index.ts'

const database = await testDatabase()
const { db } = database

const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
const ends = Date.now() + 40 * 86_400_000
const ours = { names: ['hotel.test'], until: ends - Date.now() }
const hello = '<meta name="generator" content="TYPO3 CMS"><h1>Hotel</h1>'
let site: (response: ServerResponse) => void = () => undefined
const server = createServer(await authority.issue(ours), (_, response) => site(response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

const panel = await startPleskServer('panel.test')
const names = await startDnsServer({})
const webAt = `hotel.test:443::${port}`
const tools = (connectTo = webAt) => {
  const reach = {
    connectTo: `panel.test:8443:127.0.0.1:${panel.port},${connectTo}`,
    dnsServers: [names.server],
    authorities: [authority.cert],
  }
  const opened = {
    plesk: openPlesk({
      ...reach,
      keys: { tyrol: 'key' },
      certificates: { tyrol: panel.fingerprint },
      timeout: 500,
    }),
    dns: openDns({ servers: [names.server], timeout: 60 }),
    prober: openProber({ ...reach, deadline: 1_000, resumes: false }),
    pages: openPageFetcher(reach),
  }
  onTestFinished(async () => {
    await opened.plesk.close()
    opened.dns.close()
    await opened.prober.close()
    opened.pages.close()
  })
  return opened
}
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await panel.stop()
  await names.stop()
})

const start = Date.parse('2026-11-20T10:00:00Z')
const hour = 3_600_000
let clock = start
const context = contextOf(database, null, () => new Date(clock))
const [staff] = await db
  .insert(users)
  .values({ email: 'staff@kustos.test', name: 'Staff', password_hash: 'x' })
  .returning({ id: users.id })
const [node] = await db
  .insert(nodes)
  .values({ name: 'tyrol', plesk_fqdn: 'panel.test', address: '192.0.2.11' })
  .returning({ id: nodes.id })
const zone: Zone = { 'hotel.test': { A: ['127.0.0.1', '192.0.2.11'] } }
let web = 0

const domain = {
  id: 7,
  name: 'hotel.test',
  hosting_type: 'virtual',
  base_domain_id: 0,
  aliases: [{ name: 'hotel.example' }],
}
const info = (size: string) => ({
  code: 0,
  stdout: `FTP Login: hotel_1\nDisk space used by httpdocs: ${size}`,
})
const command = 'POST /api/v2/cli/domain/call'

beforeEach(async () => {
  clock = start
  names.state.zone = zone
  site = (response) => void response.setHeader('content-type', 'text/html').end(hello)
  panel.answers.clear()
  panel.answers.set('GET /api/v2/domains?name=hotel.test', [domain])
  panel.answers.set('GET /api/v2/domains', [domain, { id: 8, name: 'alt.hotel.test', base_domain_id: 7 }])
  panel.answers.set('GET /api/v2/domains/7/status', { status: 'active' })
  panel.answers.set(command, info('2.0 MB'))
  await db.delete(webs)
  await db.delete(logEntries)
  web = await addWeb({})
})

async function addWeb(more: Partial<typeof webs.$inferInsert>): Promise<number> {
  const row = { fqdn: 'hotel.test', fqdn_ascii: 'hotel.test', customer: 'ALPEN', configured_ip: '192.0.2.7' }
  const [made] = await db
    .insert(webs)
    .values({ ...row, node_id: node?.id ?? null, updated_at: new Date(start - hour), ...more })
    .returning({ id: webs.id })
  return made?.id ?? 0
}
const refresh = (by: number | null = null, connectTo?: string, signal = new AbortController().signal) =>
  refreshWeb(context, tools(connectTo), web, { requestedBy: by, signal })
const known = async () => {
  const [row] = await db.select().from(webs).where(eq(webs.id, web))
  if (!row) throw new Error('The web is gone')
  return row
}
const facts = async () => {
  const rows = await db.select().from(webFacts).where(eq(webFacts.web_id, web)).orderBy(asc(webFacts.fact))
  return Object.fromEntries(
    rows.map(({ fact, seen_at, tried_at, error }) => [fact, { seen_at, tried_at, error }]),
  )
}
const revision = async () =>
  (await db.select().from(revisions).where(eq(revisions.list, 'webs')))[0]?.revision

/** As it stands after a first good look. */
async function seenBefore() {
  await refresh()
  const before = await known()
  clock += hour
  return before
}
const seenAt = (at: number) => ({ seen_at: new Date(at), tried_at: new Date(at), error: null })

test('everything that is told is known afterwards, and when it was seen', async () => {
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  const certificateEnds = new Date(Math.floor(ends / 1000) * 1000)
  const row = await known()
  expect(row).toMatchObject({
    status: 0,
    sysuser: 'hotel_1',
    disk_usage: 2_097_152,
    sites: [{ fqdn: 'alt.hotel.test' }],
    aliases: [{ fqdn: 'hotel.example' }],
    domain_status: 1,
    cert_ca: 'Tyrol Trust',
    http_status_code: 200,
    framework_name: 'TYPO3',
    framework_version: null,
    updated_at: new Date(start - hour),
  })
  expect(Math.abs((row.cert_expiration?.getTime() ?? 0) - certificateEnds.getTime())).toBeLessThan(60_000)
  const seen = seenAt(start)
  expect(await facts()).toEqual({ plesk: seen, dns: seen, certificate: seen, http: seen, framework: seen })
})

test('nothing changed: no list is read anew, the log stays empty, and the facts are younger', async () => {
  await seenBefore()
  await db.delete(logEntries)
  const [before, at] = [await known(), await revision()]
  // In another order it is the same.
  await db.update(webs).set({ framework_version: '12.4.41' })
  const written = await revision()
  expect(await refresh(staff?.id)).toEqual({ state: 'succeeded', problems: [] })
  expect(await revision()).toBe(written)
  expect(written).not.toBe(at)
  expect(await known()).toEqual({ ...before, framework_version: '12.4.41' })
  expect(await db.select().from(logEntries)).toEqual([])
  expect(new Set(Object.values(await facts()).map(({ seen_at }) => seen_at?.getTime()))).toEqual(
    new Set([clock]),
  )
})

test('sites in another order are the same sites', async () => {
  const sites = [{ fqdn: 'z.hotel.test' }, { fqdn: 'alt.hotel.test' }]
  panel.answers.set(
    'GET /api/v2/domains',
    sites.map(({ fqdn }, id) => ({ id, name: fqdn, base_domain_id: 7 })),
  )
  await refresh()
  await db.update(webs).set({ sites })
  const at = await revision()
  await refresh()
  expect(await revision()).toBe(at)
  expect((await known()).sites).toEqual(sites)
})

describe('the log', () => {
  const entries = () => db.select().from(logEntries)

  test('tells what changed, and who asked', async () => {
    await seenBefore()
    await db.delete(logEntries)
    panel.answers.set(command, info('3.0 MB'))
    await refresh(staff?.id)
    expect(await entries()).toMatchObject([
      {
        log_name: 'webs',
        description: 'refreshed',
        subject_type: 'web',
        subject_id: web,
        causer_id: staff?.id,
        properties: { old: { disk_usage: 2_097_152 }, attributes: { disk_usage: 3_145_728 } },
      },
    ])
  })

  test('is not filled every night with what moves by itself', async () => {
    await seenBefore()
    await db.delete(logEntries)
    panel.answers.set(command, info('3.0 MB'))
    await refresh()
    expect((await known()).disk_usage).toBe(3_145_728)
    expect(await entries()).toEqual([])
    panel.answers.set('GET /api/v2/domains/7/status', { status: 'suspended' })
    await refresh()
    expect(await entries()).toMatchObject([
      { causer_id: null, properties: { old: { status: 0 }, attributes: { status: 16 } } },
    ])
  })
})

describe('half of it', () => {
  test('while Plesk is away: what it told stays', async () => {
    const before = await seenBefore()
    panel.answers.set(
      'GET /api/v2/domains?name=hotel.test',
      (response: ServerResponse) => void response.destroy(),
    )
    const problem = 'Plesk on tyrol cannot be reached: the connection broke.'
    expect(await refresh()).toEqual({ state: 'partial', problems: [problem] })
    expect(await known()).toEqual(before)
    const { plesk, dns } = await facts()
    expect(plesk).toEqual({ seen_at: new Date(start), tried_at: new Date(clock), error: problem })
    expect(dns).toEqual(seenAt(clock))
  })

  test('where Plesk tells half: that half is kept', async () => {
    const before = await seenBefore()
    panel.answers.set(command, { code: 1, stdout: '', stderr: 'No.' })
    panel.answers.set('GET /api/v2/domains/7/status', { status: 'disabled' })
    const { state, problems } = await refresh()
    expect([state, problems.length]).toEqual(['partial', 1])
    expect(await known()).toEqual({ ...before, status: 16 })
    expect((await facts()).plesk).toEqual({ ...seenAt(clock), error: problems[0] })
  })

  test('where the node does not know it: nothing is taken away', async () => {
    const before = await seenBefore()
    panel.answers.set('GET /api/v2/domains?name=hotel.test', [])
    const problem = 'Plesk on tyrol has no subscription of this name.'
    expect(await refresh()).toEqual({ state: 'partial', problems: [problem] })
    expect(await known()).toEqual(before)
  })

  test('while name servers are silent: neither status changes', async () => {
    const before = await seenBefore()
    names.state.zone = { 'hotel.test': 'silence' }
    const { state, problems } = await refresh()
    expect(state).toBe('partial')
    expect(problems).toEqual([
      'The name could not be looked up: no name server answered in time.',
      expect.stringMatching(/^It did not answer: .*\.$/),
    ])
    expect(await known()).toEqual(before)
    expect((await facts()).dns).toMatchObject({ seen_at: new Date(start), error: problems[0] })
  })

  test('where the web does not answer: there is no status any more, and the certificate stays', async () => {
    const before = await seenBefore()
    site = () => undefined
    const { state, problems } = await refresh()
    expect([state, problems]).toEqual(['partial', ['It did not answer: no answer within 1 s.']])
    expect(await known()).toEqual({ ...before, http_status_code: null })
  })

  test('where the page is an error: framework and version stay', async () => {
    const before = await seenBefore()
    site = (response) => void response.writeHead(503).end(hello.replace('TYPO3', 'WordPress'))
    expect(await refresh()).toEqual({ state: 'partial', problems: ['https://hotel.test/ answered 503.'] })
    expect(await known()).toEqual({ ...before, http_status_code: 503 })
  })
})

describe('the domain', () => {
  test.each([
    ['at the configured address is online', { A: ['127.0.0.1', '192.0.2.7'] }, 1],
    ["at the node's address is online", { A: ['127.0.0.1', '192.0.2.11'] }, 1],
    ['at another address is extern', { A: ['127.0.0.1'] }, 2],
    ['at none is offline', { A: [] }, 3],
  ])('%s', async (_, records, domain_status) => {
    names.state.zone = { 'hotel.test': records }
    await refresh()
    expect(await known()).toMatchObject({ domain_status })
  })

  test('is not called extern while the addresses of its node are unknown', async () => {
    await db.update(nodes).set({ address: null })
    onTestFinished(async () => void (await db.update(nodes).set({ address: '192.0.2.11' })))
    names.state.zone = { 'hotel.test': { A: ['127.0.0.1'] }, 'panel.test': 'silence' }
    expect((await refresh()).problems).toEqual(['The addresses of node tyrol could not be learned.'])
    expect(await known()).toMatchObject({ domain_status: null })
    names.state.zone = { 'hotel.test': { A: ['127.0.0.1'] }, 'panel.test': { A: ['127.0.0.1'] } }
    await refresh()
    expect(await known()).toMatchObject({ domain_status: 1 })
  })
})

test('a page that is somebody else’s tells nothing of the web', async () => {
  site = (response) => void response.writeHead(302, { location: `https://other.test:${port}/` }).end()
  const { state } = await refresh()
  expect(state).toBe('partial')
  expect(await known()).toMatchObject({ framework_name: null, http_status_code: 302 })
})

test('a web without a node has no facts of Plesk', async () => {
  await db.update(webs).set({ node_id: null })
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  expect(Object.keys(await facts())).toEqual(['certificate', 'dns', 'framework', 'http'])
})

test('what was changed meanwhile is left alone', async () => {
  let change: () => Promise<unknown> = () => Promise.resolve()
  site = (response) => void change().then(() => response.end(hello))
  for (const changes of [{ configured_ip: '192.0.2.99' }, { deleted_at: new Date() }]) {
    change = () => db.update(webs).set(changes)
    expect(await refresh()).toMatchObject({ state: 'failed' })
  }
  expect(await facts()).toEqual({})
  expect(await refresh()).toEqual({ state: 'failed', problems: ['The web was deleted meanwhile.'] })
})

test('ended early, nothing of it is kept', async () => {
  const stop = new AbortController()
  site = () => stop.abort(new Error('stopping'))
  await expect(refresh(null, webAt, stop.signal)).rejects.toThrow('stopping')
  expect(await facts()).toEqual({})
})
