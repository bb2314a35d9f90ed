import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openProber } from '@kustos/clients/probe'
import {
  alerts,
  checks,
  customers,
  degradations,
  incidents,
  probeRounds,
  probeShards,
  type StoredCheck,
  seenPages,
  statistics,
  tags,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { loadChecks } from '../../src/checks/index.ts'
import { dayOf } from '../../src/monitoring/day.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { ensurePartition } from '../../src/monitoring/partitions.ts'
import { probeWebs } from '../../src/monitoring/probe-shard.ts'
import { openProbing } from '../../src/monitoring/probing.ts'
import { createContext } from '../../src/platform/context.ts'
import { openAlerting } from './alert-environment.ts'
import { monitoredWeb, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { tools, listAlerts } = await openAlerting(database)

type Respond = (request: IncomingMessage, response: ServerResponse) => void
const page: Respond = (_, response) => void response.end('Welcome')
let respond = page
const server = createServer((request, response) => {
  const isTested = request.headers.host === 'tested.test'
  if (isTested) respond(request, response)
  else page(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const prober = openProber({ connectTo: `:443:127.0.0.1:1,:80:127.0.0.1:${port}`, deadlineMs: 1_000 })
afterAll(async () => {
  await prober.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

let web = 0
beforeEach(async () => {
  respond = page
  for (const table of [
    alerts,
    incidents,
    statistics,
    probeShards,
    probeRounds,
    checks,
    webs,
    customers,
    tags,
  ])
    await db.delete(table)
  const channel = { monitoring_web_reporting_channel: 'slack' }
  const [tested] = await db
    .insert(webs)
    .values([monitoredWeb('tested.test', channel), monitoredWeb('other.test'), monitoredWeb('third.test')])
    .returning({ id: webs.id })
  web = tested?.id ?? 0
})

/** Probes and evaluates a round. @param place how many are still to come, with this one */
async function run(place: number): Promise<void> {
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 - place * 15_000)
  await ensurePartition(db, dayOf(at))
  await db.insert(probeRounds).values({ round_at: at, interval_seconds: 60, shards: 1 })
  const begins = at.toISOString()
  const shard = { round_at: begins, shard: 0, shards: 1, interval: 60, begins_at: begins, spread: 1 }
  const probing = openProbing(prober, { confirmAfterMs: 20 })
  const context = createContext(database)
  await probeWebs(context, probing, settings, shard, new AbortController().signal)
  await evaluateRound(context, tools, settings)
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_, response) =>
    void response.writeHead(code, headers).end('Sorry')
const body =
  (text: string): Respond =>
  (_, response) =>
    void response.end(text)
const refuseHead: Respond = (request, response) =>
  request.method === 'HEAD' ? status(405)(request, response) : page(request, response)
const slow: Respond = (_, response) => void setTimeout(() => response.end('Welcome'), 120)
const expectHeader: Respond = (request, response) =>
  request.headers['x-missing'] === undefined ? page(request, response) : status(500)(request, response)
const onPath =
  (path: string, inner: Respond): Respond =>
  (request, response) =>
    request.url === path ? inner(request, response) : page(request, response)

const alerting = { alerts_degraded: true }
interface Effect {
  readonly state: 'up' | 'degraded' | 'down'
  /** The code of the incident's reason. */
  readonly incident?: string
  /** The title of the alert. */
  readonly alert?: string
}
const up: Effect = { state: 'up' }
const degraded: Effect = { state: 'degraded' }
const downFor = (incident: string, reason: string): Effect => ({
  state: 'down',
  incident,
  alert: `tested.test is down: ${reason}`,
})
const degradedFor = (reason: string): Effect => ({
  state: 'degraded',
  alert: `tested.test is degraded: ${reason}`,
})

test.each<[string, StoredCheck, Respond, Effect]>([
  ['a page', {}, page, up],
  ['a login wall (401)', {}, status(401), degraded],
  ['a login wall with an alert', alerting, status(401), degradedFor('it asks for a login (status 401)')],
  ['a login wall that is expected', { statuses: '401' }, status(401), up],
  ['a missing login wall', { statuses: '401' }, page, downFor('status_down', '200')],
  ['403', {}, status(403), degraded],
  ['403 with an alert', alerting, status(403), degradedFor('it denies access (status 403)')],
  ['429', {}, status(429), degraded],
  ['429 with an alert', alerting, status(429), degradedFor('it limits requests (status 429)')],
  ['a page that became blank', {}, body(''), degraded],
  ['a blank page with an alert', alerting, body(' \n'), degradedFor('the page is empty')],
  ['a blank page that is fine', { accepts_empty: true }, body(''), up],
  ['404', {}, status(404), downFor('status_down', '404')],
  ['404 that is expected', { statuses: '200,404' }, status(404), up],
  ['500', alerting, status(500), downFor('status_down', '500')],
  ['a required text', { required_text: 'Welcome' }, page, up],
  ['a missing text', { required_text: 'Welcome' }, body('Parked'), downFor('text_missing', '200')],
  ['a forbidden text', { forbidden_text: 'Fatal' }, body('Fatal error'), downFor('text_forbidden', '200')],
  ['no forbidden text', { forbidden_text: 'Fatal' }, page, up],
  ['a fast page', { slow_ms: 900 }, page, up],
  ['a slow page', { slow_ms: 100 }, slow, degraded],
  [
    'a slow page with an alert',
    { ...alerting, slow_ms: 100 },
    slow,
    degradedFor('it took 0.1 s or longer to respond'),
  ],
  ['a slow page without a limit', {}, slow, up],
  ['a redirect', {}, status(302, { location: 'http://elsewhere.test/' }), up],
  [
    'a redirect elsewhere',
    { follows_redirects: true, redirect_hosts: ['shop.test'] },
    status(302, { location: 'http://elsewhere.test/' }),
    downFor('redirect_elsewhere', '302'),
  ],
  [
    'a redirect to a permitted host',
    { follows_redirects: true, redirect_hosts: ['elsewhere.test'] },
    status(302, { location: 'http://elsewhere.test/' }),
    up,
  ],
  [
    'an endless redirect',
    { follows_redirects: true },
    status(302, { location: '/again' }),
    downFor('too_many_redirects', '302'),
  ],
  ['a redirect that is not expected', { statuses: '200-299' }, status(301), downFor('status_down', '301')],
  ['HEAD', { method: 'HEAD' }, page, up],
  ['HEAD that is refused', { method: 'HEAD' }, refuseHead, up],
  [
    'an own path that fails',
    { path: '/status' },
    onPath('/status', status(503)),
    downFor('status_down', '503'),
  ],
  ['an own path instead of a front page that fails', { path: '/status' }, onPath('/', status(503)), up],
  ['no header without a check', {}, expectHeader, up],
])('%s', async (_, own, behaviour, effect) => {
  if (Object.keys(own).length > 0) await db.insert(checks).values({ web_id: web, settings: own })
  await run(2)
  // What it was like before does not matter, but that there was a page.
  for (const table of [alerts, incidents, degradations]) await db.delete(table)
  await db.update(webs).set({ down_since: null })
  respond = behaviour
  await run(1)
  const [incident] = await db.select().from(incidents)
  const [degradation] = await db.select().from(degradations)
  const state = incident !== undefined ? 'down' : degradation !== undefined ? 'degraded' : 'up'
  expect({
    state,
    ...(incident && { incident: incident.reason_code }),
    ...((await listAlerts()).length > 0 && { alert: (await listAlerts()).join().replace(/^slack /, '') }),
  }).toEqual(effect)
  const [probe] = await db.select().from(statistics).where(eq(statistics.web_id, web)).limit(1)
  expect(probe).toBeDefined()
})

test('a single degraded probe changes nothing, and so does a single good one after', async () => {
  let count = 0
  const once = (which: Respond, others: Respond): Respond => {
    count = 0
    return (request, response) => (count++ === 0 ? which : others)(request, response)
  }
  respond = once(status(429), page)
  await run(3)
  expect(await db.select().from(degradations)).toEqual([])
  respond = status(429)
  await run(2)
  respond = once(page, status(429))
  await run(1)
  expect(await db.select().from(degradations)).toMatchObject([
    { ended_at: null, reason_code: 'requests_limited' },
  ])
  const outcomes = await db
    .select({ outcome: statistics.outcome })
    .from(statistics)
    .where(eq(statistics.web_id, web))
    .orderBy(statistics.round_at)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['blip', 'degraded', 'degraded'])
})

test('a web that is degraded goes down, and comes back as what it is', async () => {
  await db.insert(checks).values({ web_id: web, settings: alerting })
  for (const [place, behaviour] of [
    [4, status(401)],
    [3, status(503)],
    [2, status(401)],
    [1, page],
  ] as const) {
    respond = behaviour
    await run(place)
  }
  expect(await db.select().from(degradations)).toMatchObject([{ ended_at: expect.any(Date) }])
  expect(await db.select().from(incidents)).toMatchObject([{ kind: 'down', ended_at: expect.any(Date) }])
  expect(await listAlerts()).toEqual([
    'slack tested.test is degraded: it asks for a login (status 401)',
    'slack tested.test is down: 503',
    expect.stringMatching(/^slack tested.test is up again after \d+ s$/),
    expect.stringMatching(/^slack tested.test is no longer degraded after \d+ s$/),
  ])
})

test('remembers pages by their address', async () => {
  respond = body('')
  await run(3)
  expect(await db.select().from(seenPages)).not.toContainEqual({ web_id: web, url: 'tested.test/' })
  respond = page
  await run(2)
  await db.insert(checks).values({ web_id: web, settings: { path: '/empty' } })
  respond = onPath('/empty', body(''))
  await run(1)
  expect(await db.select().from(seenPages)).toContainEqual({ web_id: web, url: 'tested.test/' })
  expect(await db.select().from(degradations)).toEqual([])
})

test('settings of a web apply before those of a tag, and these before those of its customer, each field by itself', async () => {
  await db
    .update(webs)
    .set({ tags: ['contract:gold', 'shop'] })
    .where(eq(webs.id, web))
  const tagRows = await db
    .insert(tags)
    .values(['contract', 'shop', 'legal'].map((name) => ({ name })))
    .returning()
  const [customer] = await db.select().from(customers)
  const tagNamed = (name: string) => tagRows.find((tag) => tag.name === name)?.id
  await db.insert(checks).values([
    { web_id: web, settings: { path: '/web' } },
    { tag_id: tagNamed('contract'), settings: { path: '/contract', slow_ms: 1000 } },
    { tag_id: tagNamed('shop'), settings: { slow_ms: 2000, required_text: 'Shop' } },
    { tag_id: tagNamed('legal'), settings: { forbidden_text: 'not carried' } },
    {
      customer_id: customer?.id,
      settings: { slow_ms: 3000, required_text: 'Customer', accepts_empty: true },
    },
  ])
  const ids = (await db.select({ id: webs.id }).from(webs)).map(({ id }) => id)
  const loaded = await loadChecks(db, ids, null)
  expect(loaded.get(web)).toMatchObject({
    path: '/web',
    slowMs: 1000,
    requiredText: 'Shop',
    forbiddenText: '',
    acceptsEmpty: true,
  })
  expect(loaded.get(ids.find((id) => id !== web) ?? 0)).toMatchObject({ path: '/', requiredText: 'Customer' })
  await db.delete(checks)
  expect(await loadChecks(db, ids, null)).toEqual(new Map())
})
