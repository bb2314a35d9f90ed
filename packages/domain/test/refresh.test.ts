import { deployments, nodes, revisions, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFact, infoCommand, page, pleskInfo, setUpRefresh, start } from './set-up-refresh.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const {
  site,
  fixture,
  certificateEndMs,
  readFacts,
  readWeb,
  readLogEntries,
  dnsServer,
  pleskServer,
  port,
  refresh,
  refreshOnce,
  webAddress,
} = await setUpRefresh(database)
const [staff] = await db
  .insert(users)
  .values({ email: 'staff@kustos.test', name: 'Staff', password_hash: 'x' })
  .returning({ id: users.id })
const readRevision = async () =>
  (await db.select().from(revisions).where(eq(revisions.list, 'webs')))[0]?.revision

test('stores all facts and when they were seen', async () => {
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  const certificateEnds = new Date(Math.floor(certificateEndMs / 1000) * 1000)
  const row = await readWeb()
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
    updated_at: new Date(start - 3_600_000),
  })
  expect(Math.abs((row.cert_expiration?.getTime() ?? 0) - certificateEnds.getTime())).toBeLessThan(60_000)
  const seen = createFact(start)
  expect(await readFacts()).toEqual({
    plesk: seen,
    dns: seen,
    certificate: seen,
    http: seen,
    framework: seen,
  })
})

test('reloads no list and logs nothing if nothing changed, but updates the time of the facts', async () => {
  await refreshOnce()
  const [before, first] = [await readWeb(), await readRevision()]
  await db.update(webs).set({ framework_version: '12.4.41' })
  const written = await readRevision()
  expect(await refresh(staff?.id)).toEqual({ state: 'succeeded', problems: [] })
  expect(await readRevision()).toBe(written)
  expect(written).not.toBe(first)
  expect(await readWeb()).toEqual({ ...before, framework_version: '12.4.41' })
  expect(await readLogEntries()).toEqual([])
  expect(new Set(Object.values(await readFacts()).map(({ seen_at }) => seen_at?.getTime()))).toEqual(
    new Set([fixture.clock]),
  )
})

test('removes characters that reverse text from sites', async () => {
  pleskServer.responses.set('GET /api/v2/domains', [
    { id: 8, name: 'alt\u202e.hotel.test', base_domain_id: 7 },
  ])
  await refresh()
  expect((await readWeb()).sites).toEqual([{ fqdn: 'alt.hotel.test' }])
})

test('ignores the order of sites', async () => {
  const sites = [{ fqdn: 'z.hotel.test' }, { fqdn: 'alt.hotel.test' }]
  pleskServer.responses.set(
    'GET /api/v2/domains',
    sites.map(({ fqdn }, id) => ({ id, name: fqdn, base_domain_id: 7 })),
  )
  await refresh()
  await db.update(webs).set({ sites })
  const before = await readRevision()
  await refresh()
  expect(await readRevision()).toBe(before)
  expect((await readWeb()).sites).toEqual(sites)
})

describe('the log', () => {
  test('shows what changed and who requested it', async () => {
    await refreshOnce()
    pleskServer.responses.set(infoCommand, pleskInfo('3.0 MB'))
    await refresh(staff?.id)
    expect(await readLogEntries()).toMatchObject([
      {
        log_name: 'webs',
        description: 'refreshed',
        subject_type: 'web',
        subject_id: fixture.web,
        causer_id: staff?.id,
        properties: { old: { disk_usage: 2_097_152 }, attributes: { disk_usage: 3_145_728 } },
      },
    ])
  })

  test('leaves out nightly changes of volatile facts', async () => {
    await refreshOnce()
    pleskServer.responses.set(infoCommand, pleskInfo('3.0 MB'))
    await refresh()
    expect((await readWeb()).disk_usage).toBe(3_145_728)
    expect(await readLogEntries()).toEqual([])
    pleskServer.responses.set('GET /api/v2/domains/7/status', { status: 'suspended' })
    await refresh()
    expect(await readLogEntries()).toMatchObject([
      { causer_id: null, properties: { old: { status: 0 }, attributes: { status: 16 } } },
    ])
  })
})

describe('the domain', () => {
  test.each([
    ['at the configured address is online', { A: ['127.0.0.1', '192.0.2.7'] }, 1],
    ["at the node's address is online", { A: ['127.0.0.1', '192.0.2.11'] }, 1],
    ['at another address is extern', { A: ['127.0.0.1'] }, 2],
    ['at none is offline', { A: [] }, 3],
  ])('%s', async (_, records, domain_status) => {
    dnsServer.state.zone = { 'hotel.test': records }
    await refresh()
    expect(await readWeb()).toMatchObject({ domain_status })
  })

  test('is not external while the addresses of its node are unknown', async () => {
    await db.update(nodes).set({ address: null })
    onTestFinished(async () => void (await db.update(nodes).set({ address: '192.0.2.11' })))
    dnsServer.state.zone = { 'hotel.test': { A: ['127.0.0.1'] }, 'panel.test': 'timeout' }
    expect((await refresh()).problems).toEqual(['The addresses of node tyrol could not be determined.'])
    expect(await readWeb()).toMatchObject({ domain_status: null })
    dnsServer.state.zone = { 'hotel.test': { A: ['127.0.0.1'] }, 'panel.test': { A: ['127.0.0.1'] } }
    await refresh()
    expect(await readWeb()).toMatchObject({ domain_status: 1 })
  })
})

test('ignores a page on another host', async () => {
  site.respond = (response) => void response.writeHead(302, { location: `https://other.test:${port}/` }).end()
  const { state } = await refresh()
  expect(state).toBe('partial')
  expect(await readWeb()).toMatchObject({ framework_name: null, http_status_code: 302 })
})

test('stores no Plesk facts for a web without a node', async () => {
  await db.update(webs).set({ node_id: null })
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  expect(Object.keys(await readFacts())).toEqual(['certificate', 'dns', 'framework', 'http'])
})

test('leaves a web without status while its request is unfinished, whatever Plesk reports', async () => {
  const request = {
    kind: 'newWeb',
    fqdn: 'hotel.test',
    web_id: fixture.web,
    created_at: new Date(start),
    updated_at: new Date(start),
  }
  await db.insert(deployments).values({ ...request, state: 'failed' })
  onTestFinished(async () => void (await db.delete(deployments)))
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  expect(await readWeb()).toMatchObject({ status: null, sysuser: 'hotel_1', domain_status: 1 })
  await db.update(deployments).set({ state: 'succeeded' })
  await refresh()
  expect(await readWeb()).toMatchObject({ status: 0 })
})

test('does not overwrite concurrent changes', async () => {
  let change: () => Promise<unknown> = () => Promise.resolve()
  site.respond = (response) => void change().then(() => response.end(page))
  for (const changes of [{ configured_ip: '192.0.2.99' }, { deleted_at: new Date() }]) {
    change = () => db.update(webs).set(changes)
    expect(await refresh()).toMatchObject({ state: 'failed' })
  }
  expect(await readFacts()).toEqual({})
  expect(await refresh()).toEqual({ state: 'failed', problems: ['The web was deleted in the meantime.'] })
})

test('stores nothing if it is aborted', async () => {
  const stop = new AbortController()
  site.respond = () => stop.abort(new Error('stopping'))
  await expect(refresh(null, webAddress, stop.signal)).rejects.toThrow('stopping')
  expect(await readFacts()).toEqual({})
})

test('does not take over the system user of another web on the node, and names it', async () => {
  const { node_id } = await readWeb()
  const other = await addWeb(database, 'owner.test', { node_id, sysuser: 'hotel_1' })
  const taken = 'Plesk on tyrol reports the system user hotel_1 for hotel.test, which owner.test has already.'
  expect(await refresh()).toEqual({ state: 'partial', problems: [taken] })
  expect(await readWeb()).toMatchObject({ sysuser: null, status: 0, disk_usage: 2_097_152 })
  expect((await readFacts()).plesk).toMatchObject({ error: taken })
  await db.update(webs).set({ deleted_at: new Date() }).where(eq(webs.id, other))
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  expect(await readWeb()).toMatchObject({ sysuser: 'hotel_1' })
})
