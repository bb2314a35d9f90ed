import { alerts, certificateWarnings, nodes, webCertificates, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { purgeAlerts, warnOfCertificates } from '../../src/monitoring/alerts/index.ts'
import { openAlerting } from './alert-environment.ts'
import { numbers } from './round-news.ts'
import { monitoredWeb } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { tools, context, now, advanceMs, reset, listAlerts } = await openAlerting(database)

const hour = 3_600_000
const day = 24 * hour

beforeEach(async () => {
  reset()
  await db.delete(alerts)
  await db.delete(certificateWarnings)
  await db.delete(webs)
})

/** @param leftMs the time until the certificate ends */
async function addWeb(
  fqdn: string,
  leftMs: number,
  more: Partial<typeof webs.$inferInsert> = {},
): Promise<number> {
  const [web] = await db
    .insert(webs)
    .values(
      monitoredWeb(fqdn, {
        cert_expiration: new Date(now().getTime() + leftMs),
        monitoring_web_reporting_channel: 'slack',
        ...more,
      }),
    )
    .returning({ id: webs.id })
  if (!web) throw new Error('The web was not stored')
  return web.id
}

/** Checks all certificates once. @returns the new alerts */
async function checkCertificates(): Promise<string[]> {
  const before = (await listAlerts()).length
  await warnOfCertificates(context, tools, '.intern.')
  return (await listAlerts()).slice(before)
}

test('warns 14, 7 and 1 days before expiry and after it, once each', async () => {
  await addWeb('a.test', 20 * day)
  const messages: string[] = []
  for (let hours = 0; hours <= 22 * 24; hours += 6) {
    for (const message of await checkCertificates()) messages.push(`after ${hours / 24} days: ${message}`)
    advanceMs(6 * hour)
  }
  expect(messages).toEqual([
    'after 6 days: slack The certificate of a.test expires in 14 d',
    'after 13 days: slack The certificate of a.test expires in 7 d',
    'after 19 days: slack The certificate of a.test expires in 1 d',
    'after 20 days: slack The certificate of a.test has expired',
  ])
})

test('does not repeat that a certificate has expired, however long the web keeps it', async () => {
  const web = await addWeb('a.test', 12 * hour)
  const row = { web_id: web, checked_at: now(), state: 'valid', ipv6: 'none' } as const
  const valid_to = new Date(now().getTime() + 18 * hour)
  await db.insert(webCertificates).values({ ...row, name: 'b.test', kind: 'alias', valid_to })
  advanceMs(day)
  expect(await checkCertificates()).toHaveLength(2)
  advanceMs(91 * day)
  await purgeAlerts(context)
  expect(await checkCertificates()).toEqual([])
  await db.update(webs).set({ cert_expiration: now() })
  await db.delete(webCertificates)
  await purgeAlerts(context)
  expect(await db.$count(certificateWarnings)).toBe(0)
})

test('sends only the nearest warning if several are due', async () => {
  await addWeb('a.test', 20 * hour)
  expect(await checkCertificates()).toEqual(['slack The certificate of a.test expires in 20 h'])
  const marked = await db.select().from(certificateWarnings).orderBy(asc(certificateWarnings.days))
  expect(marked.map(({ days }) => days)).toEqual([1, 7, 14])
  advanceMs(20 * hour)
  expect(await checkCertificates()).toEqual(['slack The certificate of a.test has expired'])
  advanceMs(hour)
  expect(await checkCertificates()).toEqual([])
})

test('treats a renewed certificate as a new one', async () => {
  const id = await addWeb('a.test', 5 * day)
  expect(await checkCertificates()).toHaveLength(1)
  await db
    .update(webs)
    .set({ cert_expiration: new Date(now().getTime() + 90 * day) })
    .where(eq(webs.id, id))
  advanceMs(76 * day - hour)
  expect(await checkCertificates()).toEqual([])
  advanceMs(hour)
  expect(await checkCertificates()).toEqual(['slack The certificate of a.test expires in 14 d'])
})

test('skips unmonitored webs and unknown certificates', async () => {
  await addWeb('inactive.test', day, { status: 16 })
  await addWeb('elsewhere.test', day, { domain_status: 2 })
  await addWeb('unmonitored.test', day, { monitoring_web_active: false })
  await addWeb('deleted.test', day, { deleted_at: now() })
  await addWeb('web.intern.test', day)
  await addWeb('unseen.test', 0, { cert_expiration: null })
  await addWeb('later.test', 15 * day)
  expect(await checkCertificates()).toEqual([])
})

test('marks webs without recipients, so that a later channel gets no old warnings', async () => {
  const id = await addWeb('a.test', 6 * day, { monitoring_web_reporting_channel: '' })
  expect(await checkCertificates()).toEqual([])
  await db.update(webs).set({ monitoring_web_reporting_channel: 'slack' }).where(eq(webs.id, id))
  advanceMs(25 * hour)
  expect(await checkCertificates()).toEqual([])
})

describe('grouping', () => {
  test('reports two individually and three in one alert to every channel', async () => {
    await addWeb('a.test', 6 * day)
    await addWeb('b.test', 5 * day, { monitoring_web_reporting_channel: 'mail' })
    expect(await checkCertificates()).toEqual([
      'mail oncall@agency.test The certificate of b.test expires in 5 d',
      'slack The certificate of a.test expires in 6 d',
    ])
    advanceMs(day)
    await addWeb('c.test', 13 * day)
    await addWeb('d.test', 13 * day, { monitoring_web_reporting_channel: 'mail' })
    await addWeb('e.test', 13 * day, { monitoring_web_reporting_channel: '' })
    expect(await checkCertificates()).toEqual([
      'slack Certificates that expire soon: 3',
      'mail oncall@agency.test Certificates that expire soon: 3',
    ])
  })

  test('warns of certificates with a week or more left once a day of Europe/Rome', async () => {
    reset('2026-11-20T20:30:00Z')
    await addWeb('a.test', 14 * day)
    await addWeb('b.test', 14 * day + hour)
    await addWeb('c.test', 14 * day + 2 * hour)
    expect(await checkCertificates()).toHaveLength(1)
    advanceMs(2 * hour)
    expect(await checkCertificates()).toEqual([])
    // Midnight in Rome.
    advanceMs(hour)
    expect(await checkCertificates()).toHaveLength(2)
  })

  test('warns of nearer ones at once, together with the rest', async () => {
    await addWeb('a.test', 14 * day)
    expect(await checkCertificates()).toHaveLength(1)
    await addWeb('b.test', 14 * day)
    advanceMs(hour)
    expect(await checkCertificates()).toEqual([])
    await addWeb('c.test', 23 * hour)
    expect((await checkCertificates()).map((message) => message.split(' ')[4])).toEqual(['c.test', 'b.test'])
  })

  test('counts more than twenty and names twenty with times in Europe/Rome', async () => {
    const [node] = await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.plesk.test' }).returning()
    for (const id of numbers(22)) await addWeb(`web${id}.test`, 6 * day + id, { node_id: node?.id ?? null })
    expect(await checkCertificates()).toEqual(['slack Certificates that expire soon: 22'])
    const [alert] = await db.select().from(alerts)
    expect(alert?.content.lines).toHaveLength(21)
    expect(alert?.content.lines[0]).toBe('web1.test (ALPEN): 2026/11/26 11:00:00, expires in 6 d')
    expect(alert?.content.lines.at(-1)).toBe('… and 2 more')
  })
})

test('sends one warning when two workers check at once', async () => {
  await addWeb('a.test', 6 * day)
  const results = await Promise.all(numbers(4).map(() => warnOfCertificates(context, tools, '')))
  expect(results.filter((outcome) => outcome !== null)).toEqual([{ warned: 1 }])
  expect(await listAlerts()).toHaveLength(1)
})
