import { inspectionRoutes } from '@kustos/contract/inspections'
import { trackingRoutes } from '@kustos/contract/tracking'
import { nothingFound, trackingFreshnessSeconds } from '@kustos/contract/webs'
import { trackingAudits, trackingViolations, webFacts, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'
import { unescapeXml, unzip } from './spreadsheet.ts'
import { insertTwoWebs, listWebEntries } from './two-webs.ts'

const database = await testDatabase()
const { db } = database
const now = new Date('2026-11-20T10:00:30Z')
const origin = await listen(database, { now: () => now })
const staffId = await createUser(database, 'staff@kustos.test', ['view webs', 'edit webs'])
const staff = await signIn(origin, 'staff@kustos.test')

let web = 0
let deleted = 0
beforeEach(async () => {
  ;[web, deleted] = await insertTwoWebs(database, now)
})

const listEntries = () => listWebEntries(database, [web, deleted])

const requestInspection = (id: number) => staff.send('POST', `/api/request/updateTracking/${id}`)

test('requests an audit, logs it and exposes its state', async () => {
  const response = await requestInspection(web)
  expect(response.status).toBe(204)
  const location = response.headers.get('location') ?? ''
  expect(location).toMatch(/^\/api\/inspections\/\d+$/)
  const inspection = inspectionRoutes.readInspection.response.parse(
    await (await staff.fetch(location)).json(),
  )
  expect(inspection).toMatchObject({
    web_id: web,
    kind: 'tracking',
    state: 'waiting',
    requested_by: { id: staffId, email: 'staff@kustos.test' },
    problems: [],
    created_at: now.toISOString(),
    started_at: null,
    ended_at: null,
  })
  const [entry] = await listEntries()
  expect(entry).toMatchObject({
    log_name: 'tracking',
    description: 'audit requested',
    subject_type: 'web',
    causer_id: staffId,
    properties: { attributes: { inspection: inspection.id } },
  })
})

test('joins an audit to one that is waiting or running', async () => {
  const responses = await Promise.all([
    requestInspection(web),
    requestInspection(web),
    requestInspection(web),
  ])
  expect(responses.map(({ status }) => status)).toEqual([204, 204, 204])
  expect(new Set(responses.map(({ headers }) => headers.get('location'))).size).toBe(1)
  expect(await listEntries()).toHaveLength(1)
})

test('responds with 404 for a missing web or inspection', async () => {
  for (const id of [deleted, 2_000_000_000]) {
    expect((await requestInspection(id)).status).toBe(404)
    expect((await staff.fetch(`/api/webs/${id}/tracking`)).status).toBe(404)
    expect((await staff.fetch(`/api/webs/${id}/facts`)).status).toBe(404)
    expect((await staff.fetch(`/api/inspections/${id}`)).status).toBe(404)
  }
  expect(await listEntries()).toEqual([])
})

test('lists audits newest first, with changes and times', async () => {
  const found = (value: string) => ({
    topic: 'gtm',
    value,
    domain: 'www.googletagmanager.com',
    version: null,
    names: null,
    evidence: [{ source: 'inline', url: 'https://hotel.test/', excerpt: value, gated: true }],
  })
  const row = { web_id: web, engine: 'static', outcome: 'seen' }
  const earlier = new Date('2026-11-19T10:00:00Z')
  await db.insert(trackingAudits).values([
    { ...row, audited_at: earlier, findings: [found('GTM-AAAA1')] },
    { ...row, audited_at: now, findings: [found('GTM-BBBB2')] },
  ])
  await db.insert(webFacts).values({ web_id: web, fact: 'tracking', seen_at: now, tried_at: now })
  await db.insert(trackingViolations).values({ web_id: web, since: now, services: ['Hotjar'] })
  const audits = trackingRoutes.listTrackingAudits.response.parse(
    await (await staff.fetch(`/api/webs/${web}/tracking`)).json(),
  )
  expect(audits.violations).toEqual(['Hotjar'])
  expect(
    audits.data.map(({ audited_at, findings, changes }) => [audited_at, findings[0]?.value, changes]),
  ).toEqual([
    [
      now.toISOString(),
      'GTM-BBBB2',
      [
        {
          topic: 'gtm',
          old: 'GTM-AAAA1, from www.googletagmanager.com',
          new: 'GTM-BBBB2, from www.googletagmanager.com',
        },
      ],
    ],
    [earlier.toISOString(), 'GTM-AAAA1', []],
  ])
  expect(await (await staff.fetch(`/api/webs/${web}/facts`)).json()).toEqual({
    data: [
      {
        fact: 'tracking',
        seen_at: now.toISOString(),
        tried_at: now.toISOString(),
        error: null,
        error_code: null,
        error_params: null,
      },
    ],
  })
})

test('has no audits or facts for a web that was never audited', async () => {
  expect(await (await staff.fetch(`/api/webs/${web}/tracking`)).json()).toEqual({ data: [], violations: [] })
  expect(await (await staff.fetch(`/api/webs/${web}/facts`)).json()).toEqual({ data: [] })
})

test('separates stale from current ids in the export and its filters', async () => {
  const seconds = now.getTime() / 1000
  const entry = (id: string, age: number) => ({ id, domain: 'm.test', timestamp: seconds - age })
  const matomo = [entry('7', 60), entry('8', trackingFreshnessSeconds + 1)]
  const tracking_services = { ...nothingFound.tracking_services, matomo }
  await db
    .update(webs)
    .set({ status: 0, domain_status: 1, tracking_data: { ...nothingFound, tracking_services } })
    .where(eq(webs.id, web))
  const cells = async (query: string) => {
    const response = await staff.fetch(`/api/webs/exportTracking?sets=matomo${query}`)
    expect(response.status).toBe(200)
    const xml = unzip(Buffer.from(await response.arrayBuffer()), 'xl/worksheets/sheet1.xml')
    const all = xml.matchAll(/<c r="([A-Z]+)(\d+)"[^>]*>(?:<is>)?<(?:v|t)[^>]*>([^<]*)</g)
    return Object.fromEntries(
      [...all].map(([, column, row, text = '']) => [`${column}${row}`, unescapeXml(text)]),
    )
  }
  expect(await cells('')).toMatchObject({ E1: 'Matomo', F1: 'Matomo stale', E2: '7', F2: '8' })
  expect(await cells('&lang=de')).toMatchObject({ E1: 'Matomo', F1: 'Matomo veraltet', F2: '8' })
  expect(await cells('&f.matomo_stale=not-empty:')).toMatchObject({ F2: '8' })
  expect(await cells('&f.matomo_stale=empty:')).not.toHaveProperty('F2')
})
