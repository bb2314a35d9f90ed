import {
  alertChannels,
  alertRoutes,
  alerts,
  certificateWarnings,
  channelWarnings,
  checks,
  degradations,
  trackingDifferences,
  watchedDomains,
  webCertificates,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { syncWatchedDomains, warnOfExpiringDomains } from '../../src/domains/index.ts'
import {
  announceDegradations,
  announceDnsChanges,
  announceDrift,
  openAlertSender,
  updatePagerDuty,
  warnOfCertificates,
} from '../../src/monitoring/alerts/index.ts'
import { addRoute } from './add-route.ts'
import { openChannels } from './channel-kit.ts'
import { monitoredWeb } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { alerting, addChannel, failNextInsert, waiting, run, recover, posted } = await openChannels(database)
const { tools, context, slack } = alerting

beforeEach(async () => {
  for (const table of [
    alerts,
    channelWarnings,
    alertRoutes,
    alertChannels,
    degradations,
    trackingDifferences,
    checks,
    certificateWarnings,
    watchedDomains,
    webs,
  ])
    await database.owner.db.delete(table)
  alerting.reset()
})

const addWeb = async (more: Partial<typeof webs.$inferInsert> = {}) => {
  const reporting = { monitoring_web_reporting_channel: 'slack', ...more }
  const [web] = await db.insert(webs).values(monitoredWeb('a.test', reporting)).returning()
  await db.insert(checks).values({ web_id: web?.id ?? 0, settings: { alerts_degraded: true } })
  return web?.id ?? 0
}
const degrade = async (web_id: number) => {
  const row = { web_id, started_at: alerting.now(), reason: 'the page is empty' }
  const [degradation] = await db.insert(degradations).values(row).returning()
  return degradation?.id ?? 0
}
const recoverFrom = (id: number) =>
  db.update(degradations).set({ ended_at: alerting.now() }).where(eq(degradations.id, id))
const announce = (ended: readonly number[] = []) =>
  announceDegradations(db, ended, { ...tools, now: alerting.now() })
const events = () =>
  slack.posted
    .filter(({ path }) => path === '/v2/enqueue')
    .map(({ body }) => `${String(body.event_action)} ${String(body.dedup_key)}`)

test('warnings have a type and a severity for webhooks, also as they end', async () => {
  await addChannel('webhook', { default_for: 'slack' })
  const id = await degrade(await addWeb())
  await announce()
  await recoverFrom(id)
  await announce([id])
  recover()
  await run()
  const about = (title: string) => [{ kind: 'degradation', key: `degradation-${id}`, title }]
  const [begun, ended] = ['a.test is degraded: the page is empty', 'a.test is no longer degraded after 0 s']
  expect(posted('webhook').map(({ body }) => body)).toMatchObject([
    { type: 'alert.degraded', data: { title: begun, severity: 'warning', warnings: about(begun) } },
    { type: 'alert.recovered', data: { title: ended, severity: 'info', warnings: about(ended) } },
  ])
})

test('warnings are triggered at PagerDuty by a key of their own and resolved by it, also without an alert', async () => {
  await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  const web = await addWeb()
  const first = await degrade(web)
  await announce()
  await run()
  await recoverFrom(first)
  await announce([first])
  await run()
  const second = await degrade(web)
  await announce()
  await run()
  await recoverFrom(second)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  expect(await updatePagerDuty(context, tools)).toBeNull()
  expect(events()).toEqual(
    [first, second].flatMap((id) => [`trigger kustos-degradation-${id}`, `resolve kustos-degradation-${id}`]),
  )
  expect(slack.posted[0]?.body).toMatchObject({ payload: { severity: 'warning', class: 'degradation' } })
})

test('warnings end at PagerDuty also if the database was busy when they were triggered', async () => {
  await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  const id = await degrade(await addWeb())
  await failNextInsert('channel_warnings')
  await announce()
  await run()
  await recoverFrom(id)
  await announce([id])
  await run()
  expect(events()).toEqual([`trigger kustos-degradation-${id}`, `resolve kustos-degradation-${id}`])
})

test('warnings end at PagerDuty also if their worker died before it had the answer', async () => {
  await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  const id = await degrade(await addWeb())
  await announce()
  const [{ id: alert = 0 } = {}] = await waiting()
  const worker = new AbortController()
  slack.next = ['hang']
  const sending = openAlertSender(tools)(context, alert, worker.signal)
  await expect.poll(() => slack.posted).toHaveLength(1)
  worker.abort()
  await sending
  await recoverFrom(id)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  expect(events()).toEqual([`trigger kustos-degradation-${id}`, `resolve kustos-degradation-${id}`])
})

test('warnings that ended before PagerDuty was told of them are left out', async () => {
  await addChannel('pagerduty', { default_for: 'slack' })
  const id = await degrade(await addWeb())
  await announce()
  await recoverFrom(id)
  await announce([id])
  recover()
  await run()
  expect(events()).toEqual([])
  expect(await waiting()).toEqual([])
})

test('warnings of a certificate end once it is renewed; those of DNS join one another', async () => {
  const duty = await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  const end = new Date(alerting.now().getTime() + 86_400_000)
  const web = await addWeb({ cert_expiration: end })
  expect(await warnOfCertificates(context, tools, '.intern.')).toEqual({ warned: 1 })
  await run()
  expect(await updatePagerDuty(context, tools)).toBeNull()
  await db.update(webs).set({ cert_expiration: new Date(end.getTime() + 90 * 86_400_000) })
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  const about = { webs: [web], customers: [] }
  const news = { domain: 'a.test', customers: [], channels: ['slack' as const], about }
  const change = { host: 'a.test', type: 'NS' as const, from: ['ns1.test'], to: ['ns2.test'], since: end }
  for (let turn = 0; turn < 2; turn++)
    await announceDnsChanges(db, [{ ...news, ...change }], { ...tools, now: alerting.now() })
  await run()
  const certificate = `kustos-certificate-${web}-a.test`
  const dns = 'trigger kustos-dns-a.test-NS'
  expect(events()).toEqual([`trigger ${certificate}`, `resolve ${certificate}`, dns, dns])
  expect(await db.$count(alerts, eq(alerts.channel_id, duty))).toBe(3)
})

test.each([
  ['deleted', { deleted_at: new Date() }],
  ['no longer monitored', { monitoring_web_active: false }],
  ['inactive', { status: 16 }],
])('warnings of a wrong certificate end once the web is %s', async (_, change) => {
  await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  const web_id = await addWeb()
  const at = alerting.now()
  const row = { web_id, checked_at: at, state: 'wrong_name', ipv6: 'none', wrong_since: at } as const
  await db.insert(webCertificates).values({ ...row, name: 'b.test', kind: 'alias' })
  expect(await warnOfCertificates(context, tools, '.intern.')).toEqual({ warned: 1 })
  await run()
  expect(await updatePagerDuty(context, tools)).toBeNull()
  await db.update(webs).set(change)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  const key = `kustos-certificate-${web_id}-b.test`
  expect(events()).toEqual([`trigger ${key}`, `resolve ${key}`])
})

test.each([
  ['is renewed', () => db.update(watchedDomains).set({ expires_at: new Date('2036-01-01') })],
  [
    'has no website any more',
    async () => {
      await db.update(webs).set({ deleted_at: new Date() })
      await syncWatchedDomains(context)
    },
  ],
])('warnings of a domain that expires end once it %s', async (_, end) => {
  await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  await addWeb()
  await syncWatchedDomains(context)
  await db.update(watchedDomains).set({ expires_at: alerting.now() })
  expect(await warnOfExpiringDomains(context, tools)).toEqual({ warned: 1 })
  await run()
  expect(await updatePagerDuty(context, tools)).toBeNull()
  await end()
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  expect(events()).toEqual(['trigger', 'resolve'].map((action) => `${action} kustos-domain-a.test`))
})

const differ = async (web_id: number, key = 'found gtm') => {
  const at = { first_seen_at: alerting.now(), last_seen_at: alerting.now(), confirmed_at: alerting.now() }
  const what = { key, kind: 'unexpected' as const, subject: 'gtm', expected: [], found: ['GTM-1'] }
  const [row] = await db
    .insert(trackingDifferences)
    .values({ web_id, ...what, reason: `${key} is new`, first_audit_id: 1, ...at })
    .returning()
  return row?.id ?? 0
}
const agree = (id: number) =>
  db.update(trackingDifferences).set({ ended_at: alerting.now() }).where(eq(trackingDifferences.id, id))
const announceDifferences = (web: number) => announceDrift(db, web, { ...tools, now: alerting.now() })

test('differences in tracking have a key each, by which PagerDuty resolves their alerts', async () => {
  await addChannel('pagerduty', { default_for: 'slack' })
  const hook = await addChannel('webhook')
  await addRoute(db, { steps: [{ after_minutes: 0, channels: [hook], rotas: [] }], severities: ['tracking'] })
  recover()
  const web = await addWeb()
  const [one, two] = [await differ(web, 'a'), await differ(web, 'b')]
  await announceDifferences(web)
  await run()
  await agree(one)
  await announceDifferences(web)
  await run()
  await agree(two)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  const keys = [one, two].map((id) => `kustos-tracking-${id}`)
  expect(events()).toEqual([...keys.map((key) => `trigger ${key}`), ...keys.map((key) => `resolve ${key}`)])
  const title = 'The tracking of a.test differs from its contract: a is new'
  const warnings = [{ kind: 'tracking', key: `tracking-${one}`, title }, { key: `tracking-${two}` }]
  expect(posted('webhook').map(({ body }) => body)).toMatchObject([
    { type: 'alert.tracking', data: { severity: 'warning', warnings } },
    { type: 'alert.tracking_ended', data: { severity: 'info', warnings: [{ key: `tracking-${one}` }] } },
  ])
})

test('a route that reaches nobody does not take the place of the channels of the web', async () => {
  await addRoute(db, {
    steps: [{ after_minutes: 0, channels: [999_999], rotas: [] }],
    replaces_channels: true,
  })
  const id = await degrade(await addWeb())
  await announce()
  await recoverFrom(id)
  await announce([id])
  expect(await alerting.listAlerts()).toEqual([
    'slack a.test is degraded: the page is empty',
    'slack a.test is no longer degraded after 0 s',
  ])
})

test('the end of a difference in tracking goes to those who were told of it, whatever the routes say then', async () => {
  const [told, other] = [await addChannel('webhook'), await addChannel('teams')]
  const stepTo = (channel: number) => [{ after_minutes: 0, channels: [channel], rotas: [] }]
  await addRoute(db, { steps: stepTo(told), replaces_channels: true })
  const web = await addWeb()
  const id = await differ(web)
  await announceDifferences(web)
  await db.update(alertRoutes).set({ steps: stepTo(other), replaces_channels: false })
  await agree(id)
  await announceDifferences(web)
  const rows = await db.select().from(alerts).orderBy(alerts.id)
  expect(rows.map(({ channel_id, event }) => [channel_id, event?.type])).toEqual([
    [told, 'tracking'],
    [told, 'tracking_ended'],
  ])
})
