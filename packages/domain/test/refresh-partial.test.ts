import { createServer as createPlainServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { domainMoves, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../src/platform/context.ts'
import { sealPanelKey } from '../src/platform/panel-key.ts'
import { editWeb } from '../src/webs/index.ts'
import { box, createFact, infoCommand, page, setUpRefresh, start } from './set-up-refresh.ts'

const database = await testDatabase()
const { site, fixture, readFacts, readWeb, dnsServer, pleskServer, refresh, refreshOnce } =
  await setUpRefresh(database)

test('keeps earlier facts of Plesk while it is down', async () => {
  const before = await refreshOnce()
  pleskServer.responses.set(
    'GET /api/v2/domains?name=hotel.test',
    (response: ServerResponse) => void response.destroy(),
  )
  const problem = 'Plesk on tyrol can’t be reached: the connection was lost.'
  expect(await refresh()).toEqual({ state: 'partial', problems: [problem] })
  expect(await readWeb()).toEqual(before)
  const { plesk, dns } = await readFacts()
  expect(plesk).toEqual({ seen_at: new Date(start), tried_at: new Date(fixture.clock), error: problem })
  expect(dns).toEqual(createFact(fixture.clock))
})

test('stores an incomplete response of Plesk', async () => {
  const before = await refreshOnce()
  pleskServer.responses.set(infoCommand, { code: 1, stdout: '', stderr: 'No.' })
  pleskServer.responses.set('GET /api/v2/domains/7/status', { status: 'disabled' })
  const { state, problems } = await refresh()
  expect([state, problems.length]).toEqual(['partial', 1])
  expect(await readWeb()).toEqual({ ...before, status: 16 })
  expect((await readFacts()).plesk).toEqual({ ...createFact(fixture.clock), error: problems[0] })
})

test('removes nothing if the node does not know the web', async () => {
  const before = await refreshOnce()
  pleskServer.responses.set('GET /api/v2/domains?name=hotel.test', [])
  const problem = 'Plesk on tyrol has no subscription with this name.'
  expect(await refresh()).toEqual({ state: 'partial', problems: [problem] })
  expect(await readWeb()).toEqual(before)
})

test('keeps both statuses while name servers do not respond', async () => {
  const before = await refreshOnce()
  dnsServer.state.zone = { 'hotel.test': 'timeout' }
  const { state, problems } = await refresh()
  expect(state).toBe('partial')
  expect(problems).toEqual([
    'No name server responded in time.',
    expect.stringMatching(/^The web did not respond: .*\.$/),
  ])
  expect(await readWeb()).toEqual(before)
  const { dns, http } = await readFacts()
  expect(dns).toMatchObject({ seen_at: new Date(start), error: problems[0] })
  expect(http).toMatchObject({ seen_at: new Date(start), error: problems[1] })
})

test('clears the status and keeps the certificate if the web does not respond', async () => {
  const before = await refreshOnce()
  site.respond = () => undefined
  const { state, problems } = await refresh()
  // A web that does not respond is a result, not a problem.
  expect([state, problems]).toEqual(['succeeded', []])
  expect(await readWeb()).toEqual({ ...before, http_status_code: null })
  const error = 'The web did not respond: no response within 1 s.'
  const { http, certificate, framework } = await readFacts()
  expect(http).toEqual({ ...createFact(fixture.clock), error })
  const unchanged = { seen_at: new Date(start), tried_at: new Date(fixture.clock), error }
  expect([certificate, framework]).toEqual([unchanged, unchanged])
})

/** Starts hotel.test without TLS. @returns CONNECT_TO for it */
async function startPlainSite(): Promise<string> {
  const open = createPlainServer((_, response) => response.setHeader('content-type', 'text/html').end(page))
  await new Promise<void>((resolve) => open.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void open.close())
  const { port: plain } = open.address() as AddressInfo
  return `hotel.test:443:127.0.0.1:1,hotel.test:80:127.0.0.1:${plain}`
}

test('says of a web that never had a certificate that it has none', async () => {
  const connectTo = await startPlainSite()
  expect(await refresh(null, connectTo)).toEqual({ state: 'succeeded', problems: [] })
  expect(await readWeb()).toMatchObject({ http_status_code: 200, cert_ca: null, cert_expiration: null })
  expect((await readFacts()).certificate).toEqual({
    ...createFact(fixture.clock),
    error: 'The web has no certificate: nothing listens on port 443.',
  })
})

test('keeps the certificate of a web that has lost TLS, and does not take HTTP for an answer', async () => {
  const before = await refreshOnce()
  expect(await refresh(null, await startPlainSite())).toEqual({ state: 'succeeded', problems: [] })
  expect(await readWeb()).toEqual({ ...before, http_status_code: null })
  const error = 'The web did not respond: HTTPS is gone: port 443 refused the connection.'
  const { http, certificate } = await readFacts()
  expect(http).toEqual({ ...createFact(fixture.clock), error })
  expect(certificate).toEqual({ seen_at: new Date(start), tried_at: new Date(fixture.clock), error })
})

test('notes that a domain has moved away, where to, and that it points back', async () => {
  const moves = () => database.db.select().from(domainMoves)
  await refreshOnce()
  expect(await moves()).toEqual([])
  const { zone } = dnsServer.state
  dnsServer.state.zone = { 'hotel.test': { A: ['203.0.113.9', '203.0.113.10'] } }
  const movedAt = new Date(fixture.clock)
  await refresh()
  const move = {
    web_id: fixture.web,
    moved_at: movedAt,
    moved_from: '192.0.2.7',
    moved_to: '203.0.113.9, 203.0.113.10',
  }
  expect(await moves()).toEqual([{ ...move, returned_at: null }])
  // That it has no address either changes neither when nor where from.
  fixture.clock += 3_600_000
  dnsServer.state.zone = {}
  await refresh()
  expect(await moves()).toEqual([{ ...move, returned_at: null }])
  dnsServer.state.zone = zone
  await refresh()
  expect(await moves()).toEqual([{ ...move, returned_at: new Date(fixture.clock) }])
})

test('does not call the domain of a renamed web moved that has not pointed here yet', async () => {
  await refreshOnce()
  const { customer, configured_ip } = await readWeb()
  const context = createContext(database, null, () => new Date(fixture.clock))
  await editWeb(context, fixture.web, { fqdn: 'neu.test', customer, configured_ip })
  expect(await readFacts()).toMatchObject({ dns: { seen_at: null }, certificate: { seen_at: null } })
  const { zone } = dnsServer.state
  dnsServer.state.zone = { 'neu.test': { A: ['203.0.113.9'] } }
  await refresh()
  expect(await readWeb()).toMatchObject({ fqdn: 'neu.test', domain_status: 2 })
  expect(await database.db.select().from(domainMoves)).toEqual([])
  const here = zone['hotel.test']
  dnsServer.state.zone = { ...(here && { 'neu.test': here }) }
  await refresh()
  dnsServer.state.zone = { 'neu.test': { A: ['203.0.113.9'] } }
  await refresh()
  expect(await database.db.select().from(domainMoves)).toMatchObject([{ web_id: fixture.web }])
})

test('waits for the evaluation of a round that ends the move of its domain, before it locks the web', async () => {
  const { zone } = dnsServer.state
  await refreshOnce()
  dnsServer.state.zone = { 'hotel.test': { A: ['203.0.113.9'] } }
  await refresh()
  dnsServer.state.zone = zone
  const evaluation = await database.owner.pool.connect()
  onTestFinished(() => evaluation.release())
  await evaluation.query('begin')
  await evaluation.query('update domain_moves set moved_at = now()')
  const refreshing = refresh()
  await expect
    .poll(database.waitingStatements, { timeout: 30_000 })
    .toContainEqual(expect.stringContaining('domain_moves'))
  await evaluation.query('update webs set down_since = null')
  await evaluation.query('commit')
  expect(await refreshing).toEqual({ state: 'succeeded', problems: [] })
  expect(await readWeb()).toMatchObject({ domain_status: 1 })
})

test('reports no problem if the web is down and its domain has no address', async () => {
  await refreshOnce()
  dnsServer.state.zone = {}
  expect(await refresh(null, 'hotel.test:443:127.0.0.1:1,hotel.test:80:127.0.0.1:1')).toEqual({
    state: 'succeeded',
    problems: [],
  })
  expect(await readWeb()).toMatchObject({ domain_status: 3, http_status_code: null })
})

test('keeps framework and version if the page is an error', async () => {
  const before = await refreshOnce()
  site.respond = (response) => void response.writeHead(503).end(page.replace('TYPO3', 'WordPress'))
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  expect(await readWeb()).toEqual({ ...before, http_status_code: 503 })
  expect((await readFacts()).framework).toEqual({
    seen_at: new Date(start),
    tried_at: new Date(fixture.clock),
    error: 'https://hotel.test/ responded with 503.',
  })
})

describe('a web whose status no panel can tell', () => {
  const setWeb = (columns: Partial<typeof webs.$inferInsert>) =>
    database.db
      .update(webs)
      .set({ status: null, ...columns })
      .where(eq(webs.id, fixture.web))
  const withoutKey = async () => {
    const [node] = await database.db
      .insert(nodes)
      .values({ name: `node-${crypto.randomUUID()}`, plesk_fqdn: 'other.test', address: '192.0.2.11' })
      .returning({ id: nodes.id })
    return node?.id ?? null
  }

  test.each([
    ['has no node', () => setWeb({ node_id: null, configured_ip: '192.0.2.11' })],
    ['is on a node without a key of its panel', async () => setWeb({ node_id: await withoutKey() })],
  ])('is active if it %s and its name leads to it', async (_, prepare) => {
    await prepare()
    await refresh()
    expect(await readWeb()).toMatchObject({ status: 0, domain_status: 1 })
  })

  test('keeps its status if it is known, or its name leads elsewhere', async () => {
    await setWeb({ node_id: null, configured_ip: '192.0.2.11', status: 16 })
    await refresh()
    expect(await readWeb()).toMatchObject({ status: 16, domain_status: 1 })
    await setWeb({ node_id: null, configured_ip: '192.0.2.99' })
    dnsServer.state.zone = { 'hotel.test': { A: ['203.0.113.9'] } }
    await refresh()
    expect(await readWeb()).toMatchObject({ status: null, domain_status: 2 })
  })

  test('has none while the panel is down or does not know it', async () => {
    await setWeb({})
    for (const response of [[], (to: ServerResponse) => void to.destroy()]) {
      pleskServer.responses.set('GET /api/v2/domains?name=hotel.test', response)
      await refresh()
      expect(await readWeb()).toMatchObject({ status: null, domain_status: 1 })
    }
  })
})

test('queries a panel with the key, port and certificate that are stored for its node', async () => {
  const { node_id: id } = await readWeb()
  if (id === null) throw new Error('The web has a node')
  const setNode = (columns: Partial<typeof nodes.$inferInsert>) =>
    database.db.update(nodes).set(columns).where(eq(nodes.id, id))
  onTestFinished(async () => {
    await setNode({
      name: 'tyrol',
      plesk_fqdn: 'panel.test',
      plesk_port: null,
      plesk_key: null,
      plesk_certificate: null,
    })
  })
  const stored = { name: 'stored', plesk_fqdn: '127.0.0.1', plesk_port: pleskServer.port }
  await setNode({
    ...stored,
    plesk_key: sealPanelKey(box, id, 'key'),
    plesk_certificate: pleskServer.fingerprint,
  })
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  await setNode({ plesk_key: 'v1.00000000.AAAA.AAAA.AAAA' })
  expect((await refresh()).problems).toEqual([
    'Plesk on stored can’t be queried: its stored key can’t be decrypted. Has SECRETS_KEY changed?',
  ])
})
