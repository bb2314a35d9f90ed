import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPageFetcher } from '@kustos/clients/page'
import { englishText } from '@kustos/contract/messages/english'
import { nothingFound, type trackingServices } from '@kustos/contract/webs'
import { revisions, trackingAudits, webFacts, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createContext } from '../src/platform/context.ts'
import { auditTracking, listTrackingAudits } from '../src/tracking/index.ts'

const database = await testDatabase()
const { db } = database

/** What answers at `host/path`; nothing is at the others. */
const answers = new Map<string, string | ((response: ServerResponse) => void)>()
const world = createServer((request, response) => {
  const answer = answers.get(`${(request.headers.host ?? '').replace(/:\d+$/, '')}${request.url}`)
  if (typeof answer === 'function') return answer(response)
  response.statusCode = answer === undefined ? 404 : 200
  response.setHeader('content-type', request.url === '/' ? 'text/html; charset=utf-8' : 'text/javascript')
  response.end(answer ?? '')
})
await new Promise<void>((resolve) => world.listen(0, '127.0.0.1', resolve))
const { port } = world.address() as AddressInfo
// Nothing listens on 443, so that everything is asked for over HTTP; another's address can only be refused.
const pages = openPageFetcher({ connectTo: `:443:127.0.0.1:1,:80:127.0.0.1:${port}` })
afterAll(async () => {
  pages.close()
  world.closeAllConnections()
  await new Promise((resolve) => world.close(resolve))
})

const start = Date.parse('2026-11-20T10:00:00Z')
const hour = 3_600_000
let web = 0
let clock = start
const context = createContext(database, null, () => new Date(clock))

beforeEach(async () => {
  clock = start
  answers.clear()
  await db.delete(webs)
  const [row] = await db
    .insert(webs)
    .values({
      fqdn: 'hotel.test',
      fqdn_ascii: 'hotel.test',
      customer: 'ALPEN',
      configured_ip: '192.0.2.7',
      updated_at: new Date(start - hour),
    })
    .returning({ id: webs.id })
  web = row?.id ?? 0
})

const page = (...codes: string[]) =>
  `<html><head>${codes.map((code) => `<script>${code}</script>`).join('')}</head>`
const meta = "fbq('init','123456789012345');"
const analytics = "gtag('config','G-ABCDEF1234');"

async function audit(after = 0) {
  clock += after
  const { state, problems } = await auditTracking(context, { pages, browser: null }, web)
  return { state, problems: problems.map(englishText) }
}
const known = async () => {
  const [row] = await db.select().from(webs).where(eq(webs.id, web))
  return row
}
const fact = async () => {
  const [row] = await db.select().from(webFacts).where(eq(webFacts.web_id, web))
  return row
}
const revision = async () => {
  const [row] = await db.select().from(revisions).where(eq(revisions.list, 'webs'))
  return row?.revision
}
const service = async (name: (typeof trackingServices)[number]) =>
  (await known())?.tracking_data?.tracking_services[name]

test('stores findings with evidence without touching the edit time', async () => {
  answers.set('hotel.test/', page(meta))
  expect(await audit()).toEqual({ state: 'succeeded', problems: [] })
  expect(await service('facebookads')).toEqual([
    { id: '123456789012345', domain: 'connect.facebook.net', timestamp: start / 1000 },
  ])
  expect((await known())?.updated_at).toEqual(new Date(start - hour))
  expect(await fact()).toMatchObject({
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
  answers.set('hotel.test/', page(meta, analytics))
  await audit()
  answers.set('hotel.test/', page(analytics, "gtag('consent','default',{ad_storage:'denied'})"))
  await audit(60 * hour)
  expect(await service('facebookads')).toMatchObject([{ timestamp: start / 1000 }])
  expect(await service('googleanalytics')).toMatchObject([{ timestamp: (start + 60 * hour) / 1000 }])
  const [latest] = await listTrackingAudits(context, web)
  expect(latest?.changes).toEqual([
    { topic: 'ad_storage', old: null, new: 'denied' },
    { topic: 'facebookads', old: '123456789012345', new: null },
  ])
})

test('changes nothing if the audit failed, and says why', async () => {
  answers.set('hotel.test/', page(meta, "document.cookie='t3pref=1'"))
  await audit()
  const before = { web: await known(), revision: await revision() }
  answers.set('hotel.test/', (response) => {
    response.statusCode = 503
    response.end()
  })
  const problems = ['http://hotel.test/ answered 503.']
  expect(await audit(hour)).toEqual({ state: 'failed', problems })
  expect({ web: await known(), revision: await revision() }).toEqual(before)
  expect(await fact()).toMatchObject({
    seen_at: new Date(start),
    tried_at: new Date(start + hour),
    error: problems[0],
    error_code: 'page_error',
    error_params: { url: 'http://hotel.test/', status: 503 },
  })
  answers.set('hotel.test/', page(meta))
  await audit(hour)
  const audits = await listTrackingAudits(context, web)
  expect(audits.map(({ outcome, changes }) => [outcome, changes])).toEqual([
    ['seen', [{ topic: 't3pref', old: 'yes', new: null }]],
    ['failed', []],
    ['seen', []],
  ])
})

test('does not remove what an unreadable script may contain', async () => {
  answers.set('hotel.test/', '<script src="/app.js"></script>')
  answers.set('hotel.test/app.js', `${meta} document.cookie="t3entry"; document.cookie="t3pentry=1"`)
  await audit()
  answers.set('hotel.test/app.js', (response) => {
    response.statusCode = 500
    response.end()
  })
  expect(await audit(hour)).toEqual({
    state: 'partial',
    problems: ['The script http://hotel.test/app.js could not be read: the server answered 500.'],
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
  expect((await known())?.tracking_data?.cookies).toEqual({ t3pref: false, t3pentry: true })
  answers.set('hotel.test/app.js', 'nothing')
  await audit(hour)
  expect((await known())?.tracking_data?.cookies).toEqual({ t3pref: false, t3pentry: false })
  const audits = await listTrackingAudits(context, web)
  expect(audits.map(({ changes }) => changes.length)).toEqual([2, 0, 0])
})

test('reloads no list if nothing is new', async () => {
  answers.set('hotel.test/', page('nothing()'))
  await audit()
  const before = await revision()
  await audit(hour)
  expect(await revision()).toBe(before)
})

test('handles a web without a page and endless redirects', async () => {
  expect(await audit()).toEqual({ state: 'failed', problems: ['http://hotel.test/ answered 404.'] })
  answers.set('hotel.test/', (response) => response.writeHead(302, { location: '/' }).end())
  expect((await audit()).problems).toEqual([
    'http://hotel.test/ could not be read: it redirects more than 5 times.',
  ])
  answers.set('hotel.test/', (response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
  )
  expect((await audit()).problems).toEqual(['http://hotel.test/ returned application/pdf instead of a page.'])
})

test('follows a meta refresh', async () => {
  answers.set('hotel.test/', '<meta http-equiv="refresh" content="0; url=/de/">')
  answers.set('hotel.test/de/', (response) => response.setHeader('content-type', 'text/html').end(page(meta)))
  await audit()
  expect(await service('facebookads')).toHaveLength(1)
})

test('keeps the thirty latest audits of each web', async () => {
  const [other] = await db
    .insert(webs)
    .values({ fqdn: 'b.test', fqdn_ascii: 'b.test', customer: 'B', configured_ip: '192.0.2.8' })
    .returning()
  await auditTracking(context, { pages, browser: null }, other?.id ?? 0)
  answers.set('hotel.test/', page())
  for (let run = 0; run < 33; run++) await audit(hour)
  const rows = await db.select().from(trackingAudits).orderBy(asc(trackingAudits.id))
  const ours = rows.filter(({ web_id }) => web_id === web)
  expect(ours).toHaveLength(30)
  expect(ours[0]?.audited_at).toEqual(new Date(start + 4 * hour))
  expect(rows).toHaveLength(31)
})

test('stores nothing of an aborted audit or for a deleted web', async () => {
  answers.set('hotel.test/', page(meta))
  await expect(
    auditTracking(context, { pages, browser: null }, web, AbortSignal.abort(new Error('enough'))),
  ).rejects.toThrow('enough')
  await db.update(webs).set({ deleted_at: new Date() })
  expect(await audit()).toEqual({ state: 'failed', problems: ['The web was deleted in the meantime.'] })
  expect(await db.select().from(trackingAudits)).toEqual([])
  await expect(listTrackingAudits(context, web)).rejects.toThrow('was not found')
})

/** A script that cannot be read, so that no look at its page is whole. */
const unread = '<script src="/unread.js"></script>'
const failing = (response: ServerResponse) => {
  response.statusCode = 500
  response.end()
}

test('removes other facts after no audit has found them for as long as services stay current', async () => {
  const tags = '<script src="https://polyfill.io/v3/polyfill.min.js"></script>'
  const flag = async () => (await known())?.tracking_data?.polyfillio
  answers.set('hotel.test/', page("document.cookie='t3pref=1'") + tags)
  await audit()
  expect(await flag()).toBe(true)
  answers.set('hotel.test/unread.js', failing)
  answers.set('hotel.test/', page("document.cookie='t3pref=1'") + unread)
  expect(await audit(24 * hour)).toMatchObject({ state: 'partial' })
  expect(await flag()).toBe(true)
  await audit(24 * hour)
  expect(await flag()).toBe(true)
  await audit(24 * hour)
  expect(await flag()).toBe(false)
  expect((await known())?.tracking_data?.cookies.t3pref).toBe(true)
})

test('keeps facts from other sources until audits have looked for that long', async () => {
  answers.set('hotel.test/', page(meta) + unread)
  answers.set('hotel.test/unread.js', failing)
  await db
    .update(webs)
    .set({ tracking_data: { ...nothingFound, polyfillio: true } })
    .where(eq(webs.id, web))
  await audit()
  await audit(48 * hour)
  expect((await known())?.tracking_data?.polyfillio).toBe(true)
  await audit(48 * hour)
  expect((await known())?.tracking_data?.polyfillio).toBe(false)
})
