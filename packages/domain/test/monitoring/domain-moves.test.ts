import {
  alertChannels,
  alertEscalations,
  alerts as alertRows,
  attentionHandling,
  channelIncidents,
  deployments,
  domainMoves,
  incidents,
  probeRounds,
  rolledUpDays,
  statistics,
  uptimeDays,
  users,
  webFacts,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, asc, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { updatePagerDuty } from '../../src/monitoring/alerts/index.ts'
import { applyDomainMoves, noteDomainMoved, noteDomainReturned } from '../../src/monitoring/domain-moves.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { listIncidents } from '../../src/monitoring/incidents.ts'
import { listMonitoredWebs, readMonitoring } from '../../src/monitoring/list.ts'
import { rollUp } from '../../src/monitoring/roll-up.ts'
import { listUptime } from '../../src/monitoring/uptime.ts'
import { readWeb } from '../../src/webs/index.ts'
import { openChannels } from './channel-kit.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, at } = await openRounds(database)
const { alerting, addChannel, run, recover } = await openChannels(database)
const { tools, listAlerts, context, slack } = alerting

let a = 0
let b = 0
beforeEach(async () => {
  for (const table of [incidents, statistics, probeRounds, alertRows, alertChannels, deployments, uptimeDays])
    await db.delete(table)
  await db.delete(webs)
  const rows = await db
    .insert(webs)
    .values(
      ['a.test', 'b.test'].map((fqdn) => monitoredWeb(fqdn, { monitoring_web_reporting_channel: 'slack' })),
    )
    .returning({ id: webs.id })
  ;[a = 0, b = 0] = rows.map(({ id }) => id)
})

const noon = Date.parse('2026-11-20T12:00:00Z')
const minute = (minutes: number) => new Date(noon + minutes * 60_000)

/** A round of a minute after noon, evaluated 100 s after its beginning. */
async function round(minutes: number, seen: Readonly<Record<number, Seen>> = { [b]: 'up' }) {
  await addRound(minute(minutes).toISOString(), seen)
  await evaluateRound(at(minute(minutes + 5 / 3).toISOString()), tools, settings)
}

/** As a refresh does. */
async function move(minutes: number, to: string | null = '203.0.113.9') {
  await db
    .update(webs)
    .set({ domain_status: to === null ? 3 : 2 })
    .where(eq(webs.id, a))
  await noteDomainMoved(db, a, { at: minute(minutes), from: '192.0.2.7', to })
}
async function returnHere(minutes: number) {
  await db.update(webs).set({ domain_status: 1 }).where(eq(webs.id, a))
  await noteDomainReturned(db, a, minute(minutes))
}

const listAll = () => db.select().from(incidents).orderBy(asc(incidents.id))

test('opens an incident of a monitored web whose domain moves away, until it points back', async () => {
  await round(0, { [a]: 'up', [b]: 'up' })
  await move(1)
  await round(1)
  expect(await listAll()).toMatchObject([
    {
      kind: 'moved',
      started_at: minute(1),
      ended_at: null,
      reason: 'the domain points to 203.0.113.9 instead of 192.0.2.7',
      reason_code: 'domain_moved',
      reason_params: { from: '192.0.2.7', to: '203.0.113.9' },
    },
  ])
  expect((await listMonitoredWebs(at(minute(3).toISOString()), settings)).moved).toEqual([
    {
      id: a,
      fqdn: 'a.test',
      node: null,
      customer: 'ALPEN',
      since: minute(1).toISOString(),
      from: '192.0.2.7',
      to: '203.0.113.9',
    },
  ])
  const readCounts = () => readMonitoring(at(minute(3).toISOString()), settings)
  expect(await readCounts()).toMatchObject({ monitored: 2, down: 1 })
  // Its incident lasts until the next round, but a deleted web is in no list.
  await db
    .update(webs)
    .set({ deleted_at: minute(3) })
    .where(eq(webs.id, a))
  expect((await listMonitoredWebs(at(minute(3).toISOString()), settings)).moved).toEqual([])
  expect(await readCounts()).toMatchObject({ monitored: 1, down: 0 })
  await db.update(webs).set({ deleted_at: null }).where(eq(webs.id, a))
  await round(2)
  await round(3)
  await returnHere(4)
  await round(4)
  expect(await listAll()).toMatchObject([{ ended_at: minute(4) }])
  expect(await listIncidents(at(minute(10).toISOString()), {})).toMatchObject([{ downtime: 180 }])
  expect(await listAlerts()).toEqual([
    'slack The domain of a.test no longer points here',
    'slack a.test points here again after 3 min',
  ])
  expect(await db.select().from(domainMoves)).toEqual([])
  expect((await listMonitoredWebs(at(minute(10).toISOString()), settings)).moved).toEqual([])
})

test('ends it also if the domain points back while another one is being ended', async () => {
  await round(0, { [a]: 'up', [b]: 'up' })
  await move(1)
  await noteDomainMoved(db, b, { at: minute(1), from: '192.0.2.7', to: null })
  await round(1)
  await noteDomainReturned(db, b, minute(2))
  const evaluating = await db.transaction(async (tx) => {
    await tx.select().from(incidents).where(eq(incidents.web_id, b)).for('update')
    const [session] = (await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows
    const promise = db.transaction((other) =>
      applyDomainMoves(other, { at: minute(2), intervalMs: 60_000 }, settings.internalMarker, minute(3)),
    )
    const waiting = sql`select from pg_locks where not granted and ${session?.pid} = any(pg_blocking_pids(pid))`
    await expect.poll(async () => (await db.execute(waiting)).rowCount).toBe(1)
    await returnHere(2)
    return { promise }
  })
  expect(await evaluating.promise).toHaveLength(1)
  await round(3)
  expect(await listAll()).toMatchObject([{ ended_at: minute(2) }, { ended_at: minute(2) }])
  expect(await db.select().from(domainMoves)).toEqual([])
})

test('replaces the incident of a web that was down, as when its domain has expired', async () => {
  await round(0, { [a]: 'down', [b]: 'up' })
  await move(1, null)
  await round(1)
  expect(await listAll()).toMatchObject([
    { kind: 'down', ended_at: minute(1) },
    { kind: 'moved', ended_at: null, reason: 'the domain no longer resolves (it had 192.0.2.7)' },
  ])
  expect((await listAlerts()).slice(1)).toEqual(['slack The domain of a.test no longer points here'])
  const [web] = await db.select().from(webs).where(eq(webs.id, a))
  expect(web?.down_since).toEqual(minute(1))
})

test('says on the page of a web since when its domain has been away, while it is to be monitored', async () => {
  const context = at(minute(2).toISOString())
  const readDownSince = async () => Date.parse((await readWeb(context, a)).down_since ?? '')
  await round(0, { [a]: 'down', [b]: 'up' })
  await db.update(webs).set({ domain_status: 2 }).where(eq(webs.id, a))
  expect(await readDownSince()).toBeNaN()
  await move(1)
  await round(1)
  expect(await readDownSince()).toBe(minute(1).getTime())
  await db.update(webs).set({ status: 16 }).where(eq(webs.id, a))
  expect(await readDownSince()).toBeNaN()
})

test('tells the end of an outage that was announced, also if nobody was told that the domain had moved', async () => {
  await round(0, { [a]: 'down', [b]: 'up' })
  const [down] = await listAll()
  const route = { route_id: 1, route_name: 'Night', replaces_channels: false, steps: [], done: 1 }
  const told = { incident_id: down?.id ?? 0, started_at: minute(0), channel_ids: [], user_ids: [7] }
  await db.insert(alertEscalations).values({ ...route, ...told })
  const at = { created_at: minute(1), updated_at: minute(1) }
  await db
    .insert(deployments)
    .values({ kind: 'updateWeb', state: 'running', fqdn: 'a.test', web_id: a, ...at })
  await move(1)
  await round(1)
  const [, moved] = await listAll()
  expect(moved).toMatchObject({ alerted_at: down?.alerted_at, alerted_kind: 'down' })
  const ofMoved = eq(alertEscalations.incident_id, moved?.id ?? 0)
  expect(await db.select().from(alertEscalations).where(ofMoved)).toMatchObject([{ user_ids: [7] }])
  await returnHere(2)
  await round(2)
  expect(await listAlerts()).toEqual([
    'slack a.test is down: 503',
    'slack a.test points here again after 1 min',
  ])
})

test('alerts nobody again if somebody has acknowledged the outage', async () => {
  await round(0, { [a]: 'down', [b]: 'up' })
  const [user] = await db
    .insert(users)
    .values({ email: 'x@kustos.test', name: 'X', password_hash: '' })
    .returning()
  const [down] = await listAll()
  if (!user || !down) throw new Error('There is no incident')
  await db.insert(attentionHandling).values({
    kind: 'web_down',
    subject_id: a,
    since: down.started_at,
    action: 'acknowledged',
    acknowledged_by: user.id,
    acknowledged_at: minute(1),
    note: 'Expired, the customer pays',
    updated_at: minute(1),
  })
  await db.insert(alertEscalations).values({
    incident_id: down.id,
    route_id: 1,
    route_name: 'Night',
    replaces_channels: false,
    steps: [],
    done: 1,
    channel_ids: [],
    user_ids: [user.id],
    started_at: minute(0),
  })
  await move(1, null)
  await round(1)
  const [, moved] = await listAll()
  expect(moved).toMatchObject({ kind: 'moved', alerted_at: down.alerted_at, alerted_kind: null })
  expect(await listAlerts()).toHaveLength(1)
  expect(
    await db
      .select()
      .from(attentionHandling)
      .where(eq(attentionHandling.since, minute(1))),
  ).toMatchObject([{ subject_id: a, acknowledged_by: user.id, note: 'Expired, the customer pays' }])
  expect(
    await db
      .select()
      .from(alertEscalations)
      .where(eq(alertEscalations.incident_id, moved?.id ?? 0)),
  ).toMatchObject([{ route_name: 'Night', due_at: null, user_ids: [user.id] }])
})

test('leaves an outage that nobody has acknowledged to whom it is assigned, with the note, and announces the move', async () => {
  await round(0, { [a]: 'down', [b]: 'up' })
  const [user] = await db
    .insert(users)
    .values({ email: 'y@kustos.test', name: 'Y', password_hash: '' })
    .returning()
  const [down] = await listAll()
  if (!user || !down) throw new Error('There is no incident')
  const handling = {
    action: 'assigned',
    assigned_to: user.id,
    note: 'Calls the registrar',
    updated_by: user.id,
  }
  const key = { kind: 'web_down', subject_id: a, since: down.started_at }
  await db.insert(attentionHandling).values({ ...key, ...handling, updated_at: minute(1) })
  await move(1, null)
  await round(1)
  expect(
    await db
      .select()
      .from(attentionHandling)
      .where(and(eq(attentionHandling.subject_id, a), eq(attentionHandling.since, minute(1)))),
  ).toMatchObject([{ subject_id: a, ...handling, acknowledged_at: null }])
  expect((await listAlerts()).slice(1)).toEqual(['slack The domain of a.test no longer points here'])
})

test('PagerDuty keeps the alert of an outage if it is acknowledged, otherwise another one takes its place', async () => {
  await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  const [up] = await db.insert(webs).values(monitoredWeb('c.test')).returning({ id: webs.id })
  const others: Record<number, Seen> = { [up?.id ?? 0]: 'up' }
  const told = () =>
    slack.posted.splice(0).map(({ body }) => `${String(body.event_action)} ${String(body.dedup_key)}`)
  await round(0, { [a]: 'down', [b]: 'down', ...others })
  await run()
  const keys = (await listAll()).map(({ id }) => `kustos-incident-${id}`)
  expect(told()).toEqual(keys.map((key) => `trigger ${key}`))
  await database.owner.pool.query(
    `insert into attention_handling (kind, subject_id, since, acknowledged_at, action, updated_at)
     select 'web_down', web_id, started_at, now(), 'acknowledged', now() from incidents where web_id = ${a}`,
  )
  await updatePagerDuty(context, tools)
  expect(told()).toEqual([`acknowledge ${keys[0]}`])

  for (const web of [a, b])
    await noteDomainMoved(db, web, { at: minute(1), from: '192.0.2.7', to: '203.0.113.9' })
  await round(1, others)
  await run()
  const other = `kustos-incident-${(await listAll()).at(-1)?.id}-moved`
  expect(told()).toEqual([`trigger ${other}`, `resolve ${keys[1]}`])
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  expect(await updatePagerDuty(context, tools)).toBeNull()
  expect(told()).toEqual([`trigger ${keys[0]}`])

  for (const web of [a, b]) await noteDomainReturned(db, web, minute(2))
  await round(2, others)
  await run()
  expect(told()).toEqual([`resolve ${keys[0]}`, `resolve ${other}`])
})

test('PagerDuty keeps the alert of an acknowledged outage whose answer comes when the domain is known to have moved', async () => {
  await addChannel('pagerduty', { default_for: 'slack' })
  recover()
  await round(0, { [a]: 'down', [b]: 'up' })
  await run()
  const key = `kustos-incident-${(await listAll())[0]?.id}`
  await database.owner.pool.query(
    `insert into attention_handling (kind, subject_id, since, acknowledged_at, action, updated_at)
     select 'web_down', web_id, started_at, now(), 'acknowledged', now() from incidents`,
  )
  // Stored as by a worker that has waited for the answer meanwhile.
  const late = await db.delete(channelIncidents).returning()
  await move(1)
  await round(1)
  await db.insert(channelIncidents).values(late)
  slack.posted = []
  for (let n = 0; n < 3; n++) await updatePagerDuty(context, tools)
  await returnHere(2)
  await round(2)
  await run()
  expect(slack.posted.map(({ body }) => `${body.event_action} ${body.dedup_key}`)).toEqual([
    `acknowledge ${key}`,
    `trigger ${key}`,
    `resolve ${key}`,
  ])
})

const watch = (isWatched: boolean) =>
  db.update(webs).set({ monitoring_web_active: isWatched }).where(eq(webs.id, a))

test('ends it without a message when somebody turns off the monitoring of the web, and opens another one once it is monitored again', async () => {
  await move(0)
  await round(0)
  await watch(false)
  await round(1)
  await round(2)
  expect((await listAll()).map(({ ended_at }) => ended_at !== null)).toEqual([true])
  expect(await listAlerts()).toHaveLength(1)
  await watch(true)
  await round(3)
  expect(await listAll()).toMatchObject([
    {},
    { kind: 'moved', started_at: minute(2 + 5 / 3), ended_at: null, reason_params: { to: '203.0.113.9' } },
  ])
  expect(await listAlerts()).toHaveLength(2)
})

test('opens none once the web is watched again until it is known where its domain points to', async () => {
  await move(0)
  await round(0)
  const fact = { web_id: a, fact: 'dns', tried_at: minute(0) }
  await db.insert(webFacts).values({ ...fact, seen_at: minute(0) })
  await watch(false)
  await round(60)
  await watch(true)
  await round(61)
  expect(await listAll()).toHaveLength(1)
  await db.update(webFacts).set({ seen_at: minute(62) })
  await round(62)
  expect(await listAll()).toMatchObject([{}, { kind: 'moved', ended_at: null }])
  await watch(false)
  await round(63)
  await returnHere(64)
  await round(64)
  await watch(true)
  await round(65, { [a]: 'up', [b]: 'up' })
  expect(await listAll()).toHaveLength(2)
  expect(await db.select().from(domainMoves)).toEqual([])
})

test('opens none for a web that is not monitored', async () => {
  await db.update(webs).set({ monitoring_web_active: false }).where(eq(webs.id, a))
  await move(0)
  await round(0)
  expect(await listAll()).toEqual([])
})

test('does not count the time in which Kustos did not run', async () => {
  await move(0)
  await round(0)
  await round(60)
  await returnHere(63)
  await round(63)
  // To the first evaluation, and from the second one on.
  expect((await listIncidents(at(minute(70).toISOString()), {}))[0]?.downtime).toBe(100 + 80)
})

test('counts as monitored, so that it does not take the uptime of the rest of the day', async () => {
  for (let minutes = 0; minutes < 10; minutes++) await round(minutes, { [a]: 'up', [b]: 'up' })
  await move(10)
  for (let minutes = 10; minutes < 20; minutes++) await round(minutes)
  await returnHere(20)
  await round(20, { [a]: 'up', [b]: 'up' })
  const read = async (now: string) =>
    (await listUptime(at(now), { web: a, begin: '2026-11-20', end: '2026-11-20' }))[0]
  // Of 21 minutes, ten.
  const expected = { downtime: 600, checks: 11, uptime: (100 * 11) / 21 }
  const today = await read(minute(30).toISOString())
  expect(today).toMatchObject({ ...expected, unknown: 13.5 * 3_600 - 21 * 60 })
  expect(await rollUp(at('2026-11-20T23:30:00Z'))).toEqual({ days: ['2026-11-20'] })
  expect(await read('2026-11-21T12:00:00Z')).toMatchObject({ ...expected, unknown: 24 * 3_600 - 21 * 60 })
})

test('counts the time in which the domain is away up to midnight, also if the last round of the day was evaluated before', async () => {
  await db.delete(rolledUpDays)
  // 23:50 in Rome.
  await round(650, { [a]: 'up', [b]: 'up' })
  await move(651)
  for (let minutes = 651; minutes < 659; minutes++) await round(minutes)
  expect(await rollUp(at('2026-11-20T23:00:20Z'))).toBeNull()
  await round(660)
  expect(await rollUp(at('2026-11-20T23:02:00Z'))).toEqual({ days: ['2026-11-20'] })
  const [day] = await db.select().from(uptimeDays).where(eq(uptimeDays.web_id, a))
  expect(day).toMatchObject({ downtime: 9 * 60, known: 10 * 60 })
})
