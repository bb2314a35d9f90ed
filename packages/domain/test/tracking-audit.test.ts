import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Visited } from '@kustos/clients/browser'
import { openPageFetcher } from '@kustos/clients/page'
import { englishText } from '@kustos/contract/messages/english'
import { nothingFound, type trackingServices } from '@kustos/contract/webs'
import {
  revisions,
  trackingAudits,
  trackingRecords,
  trackingViolations,
  webFacts,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createContext } from '../src/platform/context.ts'
import { auditTracking, listTrackingAudits } from '../src/tracking/index.ts'
import { openRounds } from './monitoring/rounds.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const { alerts } = await openRounds(database)

/** Responses by `host/path`; everything else is not found. */
const responses = new Map<string, string | ((response: ServerResponse) => void)>()
const webServer = createServer((request, response) => {
  const content = responses.get(`${(request.headers.host ?? '').replace(/:\d+$/, '')}${request.url}`)
  if (typeof content === 'function') return content(response)
  response.statusCode = content === undefined ? 404 : 200
  response.setHeader('content-type', request.url === '/' ? 'text/html; charset=utf-8' : 'text/javascript')
  response.end(content ?? '')
})
await new Promise<void>((resolve) => webServer.listen(0, '127.0.0.1', resolve))
const { port } = webServer.address() as AddressInfo
// Nothing listens on port 443, so everything is fetched over HTTP.
const pages = openPageFetcher({ connectTo: `:443:127.0.0.1:1,:80:127.0.0.1:${port}` })
afterAll(async () => {
  pages.close()
  webServer.closeAllConnections()
  await new Promise((resolve) => webServer.close(resolve))
})

const start = Date.parse('2026-11-20T10:00:00Z')
const hour = 3_600_000
let web = 0
let clock = start
const context = createContext(database, null, () => new Date(clock))

beforeEach(async () => {
  clock = start
  responses.clear()
  await db.delete(webs)
  web = await addWeb(database, 'hotel.test', { updated_at: new Date(start - hour) })
})

const page = (...codes: string[]) =>
  `<html><head>${codes.map((code) => `<script>${code}</script>`).join('')}</head>`
const meta = "fbq('init','123456789012345');"
const analytics = "gtag('config','G-ABCDEF1234');"

async function audit(afterMs = 0) {
  clock += afterMs
  const { state, problems } = await auditTracking(context, { pages, browser: null, alerts }, web)
  return { state, problems: problems.map(englishText) }
}
const readWeb = async () => {
  const [row] = await db.select().from(webs).where(eq(webs.id, web))
  return row
}
const readFact = async () => {
  const [row] = await db.select().from(webFacts).where(eq(webFacts.web_id, web))
  return row
}
const readRevision = async () => {
  const [row] = await db.select().from(revisions).where(eq(revisions.list, 'webs'))
  return row?.revision
}
const readService = async (name: (typeof trackingServices)[number]) =>
  (await readWeb())?.tracking_data?.tracking_services[name]

test('stores findings with evidence without touching the edit time', async () => {
  responses.set('hotel.test/', page(meta))
  expect(await audit()).toEqual({ state: 'succeeded', problems: [] })
  expect(await readService('facebookads')).toEqual([
    { id: '123456789012345', domain: 'connect.facebook.net', timestamp: start / 1000 },
  ])
  expect((await readWeb())?.updated_at).toEqual(new Date(start - hour))
  expect(await readFact()).toMatchObject({
    fact: 'tracking',
    seen_at: new Date(start),
    tried_at: new Date(start),
    error: null,
  })
  expect(await listTrackingAudits(context, web)).toMatchObject([
    {
      audited_at: new Date(start).toISOString(),
      engine: 'static',
      outcome: 'seen',
      changes: [],
      findings: [
        {
          topic: 'facebookads',
          value: '123456789012345',
          evidence: [
            {
              source: 'inline',
              url: 'http://hotel.test/',
              gated: false,
              excerpt: expect.stringContaining(meta),
            },
          ],
        },
      ],
    },
  ])
})

test('lets a missing service become stale and reports it', async () => {
  responses.set('hotel.test/', page(meta, analytics))
  await audit()
  responses.set('hotel.test/', page(analytics, "gtag('consent','default',{ad_storage:'denied'})"))
  await audit(60 * hour)
  expect(await readService('facebookads')).toMatchObject([{ timestamp: start / 1000 }])
  expect(await readService('googleanalytics')).toMatchObject([{ timestamp: (start + 60 * hour) / 1000 }])
  const [latest] = await listTrackingAudits(context, web)
  expect(latest?.changes).toEqual([
    { topic: 'ad_storage', old: null, new: 'denied' },
    { topic: 'facebookads', old: '123456789012345', new: null },
  ])
})

test('changes nothing if the audit failed, and stores why', async () => {
  responses.set('hotel.test/', page(meta, "document.cookie='t3pref=1'"))
  await audit()
  const before = { web: await readWeb(), revision: await readRevision() }
  responses.set('hotel.test/', (response) => {
    response.statusCode = 503
    response.end()
  })
  const problems = ['http://hotel.test/ responded with 503.']
  expect(await audit(hour)).toEqual({ state: 'failed', problems })
  expect({ web: await readWeb(), revision: await readRevision() }).toEqual(before)
  expect(await readFact()).toMatchObject({
    seen_at: new Date(start),
    tried_at: new Date(start + hour),
    error: problems[0],
    error_code: 'page_error',
    error_params: { url: 'http://hotel.test/', status: 503 },
  })
  responses.set('hotel.test/', page(meta))
  await audit(hour)
  const audits = await listTrackingAudits(context, web)
  expect(audits.map(({ outcome, changes }) => [outcome, changes])).toEqual([
    ['seen', [{ topic: 't3pref', old: 'yes', new: null }]],
    ['failed', []],
    ['seen', []],
  ])
})

test('does not remove what an unreadable script may contain', async () => {
  responses.set('hotel.test/', '<script src="/app.js"></script>')
  responses.set('hotel.test/app.js', `${meta} document.cookie="t3entry"; document.cookie="t3pentry=1"`)
  await audit()
  responses.set('hotel.test/app.js', (response) => {
    response.statusCode = 500
    response.end()
  })
  expect(await audit(hour)).toEqual({
    state: 'partial',
    problems: ['The script http://hotel.test/app.js could not be read: the server responded with 500.'],
  })
  expect((await listTrackingAudits(context, web))[0]?.problem_codes).toEqual([
    {
      code: 'script_unread',
      params: {
        url: 'http://hotel.test/app.js',
        reason: { code: 'server_answered', params: { status: 500 } },
      },
    },
  ])
  expect((await readWeb())?.tracking_data?.cookies).toEqual({ t3pref: false, t3pentry: true })
  responses.set('hotel.test/app.js', 'nothing')
  await audit(hour)
  expect((await readWeb())?.tracking_data?.cookies).toEqual({ t3pref: false, t3pentry: false })
  const audits = await listTrackingAudits(context, web)
  expect(audits.map(({ changes }) => changes.length)).toEqual([2, 0, 0])
})

test('reports what is gone although a script of another site could not be read, which hides no tracking', async () => {
  const widget = '<script src="http://widget.test/w.js"></script>'
  responses.set('hotel.test/', page(meta) + widget)
  responses.set('widget.test/w.js', respondWithError)
  expect(await audit()).toMatchObject({ state: 'partial' })
  responses.set('hotel.test/', page() + widget)
  expect(await audit(hour)).toMatchObject({ state: 'partial' })
  expect(await listTrackingAudits(context, web)).toMatchObject([
    { outcome: 'partial', is_complete: true, changes: [{ topic: 'facebookads', new: null }] },
    { outcome: 'partial', is_complete: true },
  ])
})

test('reloads no list if nothing is new', async () => {
  responses.set('hotel.test/', page('nothing()'))
  await audit()
  const before = await readRevision()
  await audit(hour)
  expect(await readRevision()).toBe(before)
})

test('handles a web without a page and endless redirects', async () => {
  expect(await audit()).toEqual({ state: 'failed', problems: ['http://hotel.test/ responded with 404.'] })
  responses.set('hotel.test/', (response) => response.writeHead(302, { location: '/' }).end())
  expect((await audit()).problems).toEqual([
    'http://hotel.test/ could not be read: it redirects more than 5 times.',
  ])
  responses.set('hotel.test/', (response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
  )
  expect((await audit()).problems).toEqual(['http://hotel.test/ returned application/pdf instead of a page.'])
})

test('follows a meta refresh', async () => {
  responses.set('hotel.test/', '<meta http-equiv="refresh" content="0; url=/de/">')
  responses.set('hotel.test/de/', (response) =>
    response.setHeader('content-type', 'text/html').end(page(meta)),
  )
  await audit()
  expect(await readService('facebookads')).toHaveLength(1)
})

test('keeps the thirty latest audits of each web', async () => {
  const [other] = await db
    .insert(webs)
    .values({ fqdn: 'b.test', fqdn_ascii: 'b.test', customer: 'B', configured_ip: '192.0.2.8' })
    .returning()
  await auditTracking(context, { pages, browser: null, alerts }, other?.id ?? 0)
  responses.set('hotel.test/', page())
  for (let run = 0; run < 33; run++) await audit(hour)
  const rows = await db.select().from(trackingAudits).orderBy(asc(trackingAudits.id))
  const ours = rows.filter(({ web_id }) => web_id === web)
  expect(ours).toHaveLength(30)
  expect(ours[0]?.audited_at).toEqual(new Date(start + 4 * hour))
  expect(rows).toHaveLength(31)
})

test('stores nothing of an aborted audit or for a deleted web', async () => {
  responses.set('hotel.test/', page(meta))
  await expect(
    auditTracking(context, { pages, browser: null, alerts }, web, AbortSignal.abort(new Error('enough'))),
  ).rejects.toThrow('enough')
  await db.update(webs).set({ deleted_at: new Date() })
  expect(await audit()).toEqual({ state: 'failed', problems: ['The web was deleted in the meantime.'] })
  expect(await db.select().from(trackingAudits)).toEqual([])
  await expect(listTrackingAudits(context, web)).rejects.toThrow('was not found')
})

test.each([
  [
    'renamed',
    { fqdn: 'other.test', fqdn_ascii: 'other.test' },
    'The web’s name, address or node has changed in the meantime.',
  ],
  ['deleted', { deleted_at: new Date(start) }, 'The web was deleted in the meantime.'],
])('stores nothing if the web was %s while its page was read', async (_, values, problem) => {
  responses.set('hotel.test/', (response) => {
    void db
      .update(webs)
      .set(values)
      .where(eq(webs.id, web))
      .then(() => response.setHeader('content-type', 'text/html').end(page(meta)))
  })
  expect(await audit()).toEqual({ state: 'failed', problems: [problem] })
  expect(await db.select().from(trackingAudits)).toEqual([])
  expect(await db.select().from(trackingRecords).where(eq(trackingRecords.web_id, web))).toEqual([])
  expect(await readFact()).toBeUndefined()
  expect((await readWeb())?.tracking_data).toBeNull()
})

/** A script that fails to load, so that every audit of its page is partial. */
const unreadableScript = '<script src="/unread.js"></script>'
const respondWithError = (response: ServerResponse) => {
  response.statusCode = 500
  response.end()
}

test('removes other facts that no audit has found for as long as services stay current', async () => {
  const tags = '<script src="https://polyfill.io/v3/polyfill.min.js"></script>'
  const readFlag = async () => (await readWeb())?.tracking_data?.polyfillio
  responses.set('hotel.test/', page("document.cookie='t3pref=1'") + tags)
  await audit()
  expect(await readFlag()).toBe(true)
  responses.set('hotel.test/unread.js', respondWithError)
  responses.set('hotel.test/', page("document.cookie='t3pref=1'") + unreadableScript)
  expect(await audit(24 * hour)).toMatchObject({ state: 'partial' })
  expect(await readFlag()).toBe(true)
  await audit(24 * hour)
  expect(await readFlag()).toBe(true)
  await audit(24 * hour)
  expect(await readFlag()).toBe(false)
  expect((await readWeb())?.tracking_data?.cookies.t3pref).toBe(true)
})

test('keeps facts from other sources until audits have missed them for that long', async () => {
  responses.set('hotel.test/', page(meta) + unreadableScript)
  responses.set('hotel.test/unread.js', respondWithError)
  await db
    .update(webs)
    .set({ tracking_data: { ...nothingFound, polyfillio: true } })
    .where(eq(webs.id, web))
  await audit()
  await audit(48 * hour)
  expect((await readWeb())?.tracking_data?.polyfillio).toBe(true)
  await audit(48 * hour)
  expect((await readWeb())?.tracking_data?.polyfillio).toBe(false)
})

test('records what was found and when the audit began, and pictures by their hashes only', async () => {
  responses.set('hotel.test/', page())
  const image = Buffer.alloc(20_000, 1)
  const visited: Visited = {
    outcome: 'visited',
    url: 'http://www.elsewhere.test/',
    requests: [],
    stored: [],
    tcStrings: [],
    screenshots: [{ phase: 'before', image }],
    collected: ['before'],
    consent: { refused: null, accepted: null, withdrawn: null },
    problems: [],
  }
  const browser = {
    visit: () => {
      clock += 60_000
      return Promise.resolve(visited)
    },
  }
  await auditTracking(context, { pages, browser, alerts }, web)
  const [record] = await db.select().from(trackingRecords).where(eq(trackingRecords.web_id, web))
  const { audit: found, ...head } = JSON.parse(record?.content ?? '')
  expect(head).toMatchObject({
    started_at: new Date(start).toISOString(),
    recorded_at: new Date(start + 60_000).toISOString(),
  })
  expect(found).toEqual({
    ...{ engine: 'browser', outcome: 'seen', leads_to: 'http://www.elsewhere.test/' },
    ...{ problems: [], problem_codes: [], findings: [] },
    visit: expect.objectContaining({
      screenshots: [{ phase: 'before', sha256: expect.any(String), bytes: image.length }],
    }),
  })
})

test('is not stored again by an inspection that is repeated, because its end was not stored', async () => {
  responses.set('hotel.test/', `${page(meta)}<script src="/unread.js"></script>`)
  responses.set('hotel.test/unread.js', respondWithError)
  const run = (id: number) =>
    auditTracking(context, { pages, browser: null, alerts }, web, undefined, { id, isRequested: false })
  const first = await run(1)
  expect(first).toMatchObject({ state: 'partial', problems: [{ code: 'script_unread' }] })
  expect(await run(1)).toEqual(first)
  expect(await listTrackingAudits(context, web)).toHaveLength(1)
  await run(2)
  expect(await listTrackingAudits(context, web)).toHaveLength(2)
})

test('stores since when a visit has requested trackers without consent, until one does not', async () => {
  responses.set('hotel.test/', page())
  const pixel = 'https://www.facebook.com/tr/?id=123456789012345&ev=PageView'
  const visit = async (afterMs: number, phase: 'before' | 'accepted' | null) => {
    clock += afterMs
    const request = { url: pixel, method: 'GET', resourceType: 'image', initiator: null, body: null }
    const requests = phase === null ? [] : [{ ...request, phase }]
    const consent = { refused: null, accepted: null, withdrawn: null }
    const evidence = { stored: [], tcStrings: [], screenshots: [], collected: ['before'] as const }
    const seen = { url: 'http://hotel.test/', requests, ...evidence, consent, problems: [] }
    await auditTracking(
      context,
      { pages, browser: { visit: () => Promise.resolve({ ...seen, outcome: 'visited' }) }, alerts },
      web,
    )
    return db.select().from(trackingViolations)
  }
  const violation = { web_id: web, since: new Date(start), services: ['facebookads'] }
  expect(await visit(0, 'before')).toEqual([violation])
  expect(await visit(24 * hour, 'before')).toEqual([violation])
  // An audit without a browser knows nothing of it.
  await audit(24 * hour)
  expect(await db.select().from(trackingViolations)).toEqual([violation])
  expect(await visit(24 * hour, 'accepted')).toEqual([])
  expect(await visit(24 * hour, 'before')).toEqual([{ ...violation, since: new Date(clock) }])
  // For the pages of customers and nodes, of each visit; an audit without one has none.
  const audits = await db
    .select({ before: trackingAudits.before_consent })
    .from(trackingAudits)
    .where(eq(trackingAudits.web_id, web))
    .orderBy(asc(trackingAudits.id))
  const early = [{ topic: 'facebookads', host: 'www.facebook.com', entity: 'Facebook Ads' }]
  expect(audits.map(({ before }) => before)).toEqual([early, early, null, [], early])
})
