import { logEntries, trackingViolations, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { unescapeXml, unzip } from './spreadsheet.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database, {
  monitoring: { intervalSeconds: 60, internalMarker: '.intern.' },
  limits: { exportMs: 30_000 },
})
await createUser(database, 'staff@kustos.test', ['view webs'])
const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://evil.test")']
const row = (fqdn: string, customer: string) => ({
  fqdn,
  fqdn_ascii: fqdn,
  customer,
  configured_ip: '192.0.2.7',
  status: 0,
  domain_status: 1,
  disk_usage: 1_610_612_736,
})
await db
  .insert(webs)
  .values([
    ...formulas.map((text, n) => row(`formula${n}.test`, text)),
    row('straße.test', 'MÜLLER & <SÖHNE>'),
    row('x.intern.test', 'OWN'),
  ])

let staff = new ApiClient(origin)
beforeAll(async () => {
  staff = await signIn(origin, 'staff@kustos.test')
})

async function readSheet(path: string): Promise<{ xml: string; rows: string[][] }> {
  const response = await staff.fetch(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="(webs|tracking)-[\d-]+\.xlsx"$/,
  )
  const xml = unzip(Buffer.from(await response.arrayBuffer()), 'xl/worksheets/sheet1.xml')
  const rows = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, cells = '']) =>
    [...cells.matchAll(/<(?:v|t)[^>]*>([^<]*)<\/(?:v|t)>/g)].map(([, text = '']) => unescapeXml(text)),
  )
  return { xml, rows }
}

it('contains every web with the columns shown by default', async () => {
  const { rows } = await readSheet('/api/webs/export')
  expect(rows[0]?.slice(0, 3)).toEqual(['Id', 'FQDN', 'Customer'])
  expect(rows).toHaveLength(8)
  expect(rows[6]).toContain('MÜLLER & <SÖHNE>')
})

it('names files after the day in Europe/Rome, also shortly after midnight', async () => {
  const night = await listen(database, { now: () => new Date('2026-06-19T22:30:00Z') })
  await createUser(database, 'night@kustos.test', ['view webs', 'view logs'])
  const client = await signIn(night, 'night@kustos.test')
  const nameOf = async (path: string) => {
    const response = await client.fetch(path)
    await response.arrayBuffer()
    return response.headers.get('content-disposition')
  }
  expect(await nameOf('/api/webs/export')).toBe('attachment; filename="webs-2026-06-20.xlsx"')
  expect(await nameOf('/api/logs/export')).toBe('attachment; filename="log-2026-06-20.csv"')
})

it('writes text that looks like a formula as text', async () => {
  const { xml, rows } = await readSheet('/api/webs/export')
  expect(xml).not.toContain('<f>')
  expect(rows.slice(1, 6).map((cells) => cells[2])).toEqual(formulas)
  for (const [cell] of xml.matchAll(/<c r="C\d+"[^>]*>/g)) expect(cell).toMatch(/t="(s|str|inlineStr)"/)
})

it('contains exactly what the grid shows at the same URL', async () => {
  const { rows } = await readSheet(
    '/api/webs/export?f.fqdn=regex%3A%5Eformula%5B01%5D&sort=-fqdn&sets=system',
  )
  expect(rows.map((cells) => cells[1])).toEqual(['FQDN', 'formula1.test', 'formula0.test'])
  expect(rows[0]).toContain('Disk usage (GiB)')
  expect(rows[0]).not.toContain('Customer')
  expect(rows[1]).toContain('1.5')
})

it("searches, sorts and labels columns in the screen's language", async () => {
  const search = '?q=aktiv&sets=status&sort=-domain_status'
  const { rows } = await readSheet(`/api/webs/export${search}&lang=de`)
  expect(rows[0]).toContain('Domain-Status')
  expect(rows).toHaveLength((await readSheet('/api/webs/export')).rows.length)
  expect(rows[1]).toContain('aktiv')
  expect((await readSheet(`/api/webs/export${search}`)).rows).toHaveLength(1)
  expect((await staff.fetch('/api/webs/export?lang=xx')).status).toBe(422)
})

it('omits internal hosts from the tracking list', async () => {
  const { rows } = await readSheet('/api/webs/exportTracking')
  expect(rows.flat()).not.toContain('x.intern.test')
  expect(rows.flat()).toContain('straße.test')
})

it('contains what the tracking list shows of services that were seen only after a refusal', async () => {
  const [web] = await db.select({ id: webs.id }).from(webs).where(eq(webs.fqdn, 'straße.test'))
  await db
    .insert(trackingViolations)
    .values({ web_id: web?.id ?? 0, since: new Date(), services: ['matomo'] })
  const shown = 'Matomo (nach Ablehnung oder Widerruf)'
  const filter = `f.before_consent=any-of:${encodeURIComponent(shown)}`
  const { rows } = await readSheet(`/api/webs/exportTracking?${filter}&lang=de`)
  expect(rows.slice(1)).toEqual([expect.arrayContaining(['straße.test', shown])])
})

it('adds an audit entry', async () => {
  await readSheet('/api/webs/export')
  const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
  expect(entry).toMatchObject({
    description: 'exported',
    properties: { attributes: { export: 'webs', rows: 7 } },
  })
})

it('does not delay other requests while its regular expression backtracks', async () => {
  await db.insert(webs).values(row('evil.test', 'A'.repeat(200)))
  const shortTimeoutClient = new ApiClient(await listen(database, { limits: { exportMs: 3_000 } }))
  await shortTimeoutClient.signIn('staff@kustos.test')
  const slow = staff.fetch(
    `/api/webs/export?f.customer=${encodeURIComponent('regex:(A+)+%24')}&sets=customer`,
  )
  const tooSlow = shortTimeoutClient.fetch(
    `/api/webs/export?f.customer=${encodeURIComponent('regex:(A|AA)+B')}&sets=customer`,
  )
  let isFinished = false
  const finished = tooSlow.finally(() => {
    isFinished = true
  })
  expect((await shortTimeoutClient.fetch('/api/users/current')).status).toBe(200)
  expect(isFinished).toBe(false)
  expect((await slow).status).toBe(200)
  const response = await finished
  expect([response.status, await response.json()]).toEqual([
    422,
    { message: expect.stringMatching(/took too long/), error: expect.any(String), code: expect.any(String) },
  ])
}, 60_000)

it('limits concurrent exports and does not support HEAD', async () => {
  const responses = await Promise.all(Array.from({ length: 12 }, () => staff.fetch('/api/webs/export')))
  const statuses = responses.map((response) => response.status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5)
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
  for (const response of responses) {
    if (response.status === 429) expect(response.headers.get('retry-after')).toBe('30')
    await response.arrayBuffer()
  }
  expect((await staff.fetch('/api/webs/export', { method: 'HEAD' })).status).toBe(404)
}, 60_000)

it('preserves values that XML or Excel would interpret', async () => {
  const odd = ' _x0041_ \u0001\uFFFE "quoted" & <tag> \u{1F600}\n\tend '
  await db.insert(webs).values(row('odd.test', odd))
  const { xml, rows } = await readSheet('/api/webs/export?f.fqdn=equals%3Aodd.test&sets=customer')
  // ECMA-376, 22.9.2.19: characters that XML lacks are escaped as _xHHHH_, and so is the underscore of such text.
  const text = rows[1]?.[2]?.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  expect(text).toBe(odd)
  expect(xml).toMatch(/xml:space="preserve"> _x005F_x0041_ _x0001__xFFFE_ /)
})
