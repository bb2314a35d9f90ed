import {
  alerts as alertRows,
  deployments,
  incidentGaps,
  incidents,
  probeRounds,
  statistics,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, desc } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { listIncidents } from '../../src/monitoring/incidents.ts'
import { remindOfIncidents } from '../../src/monitoring/remind.ts'
import { openAlerting } from './alert-environment.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, at } = await openRounds(database)
const { tools, listAlerts } = await openAlerting(database)

let a = 0
let others: Record<number, Seen> = {}
beforeEach(async () => {
  for (const table of [incidents, statistics, probeRounds, alertRows, deployments, webs])
    await db.delete(table)
  const rows = await db
    .insert(webs)
    .values(
      ['a.test', 'b.test', 'c.test'].map((fqdn) =>
        monitoredWeb(fqdn, { monitoring_web_reporting_channel: 'slack' }),
      ),
    )
    .returning()
  a = rows[0]?.id ?? 0
  others = Object.fromEntries(rows.slice(1).map(({ id }) => [id, 'up' as const]))
})

const noon = Date.parse('2026-11-20T12:00:00Z')
const minuteAt = (minute: number) => new Date(noon + minute * 60_000).toISOString()

/** A round of a minute after noon, in which the first web is probed 20 s after its start. */
async function round(minute: number, seen: Seen): Promise<void> {
  await addRound(minuteAt(minute), { ...others, [a]: [seen, 20] })
  await evaluateRound(at(new Date(Date.parse(minuteAt(minute)) + 100_000).toISOString()), tools, settings)
}

async function flap(minutes: readonly number[]): Promise<void> {
  for (const minute of minutes) {
    await round(minute, 'down')
    await round(minute + 1, 'up')
  }
}

const listAll = () => db.select().from(incidents).orderBy(asc(incidents.id))
const downSince = async () => (await db.select().from(webs).orderBy(asc(webs.id)))[0]?.down_since

test('makes the fourth incident within an hour last until the web has answered for an hour', async () => {
  await flap([0, 10, 20, 30, 40, 50])
  expect((await listAll()).map(({ kind, ended_at }) => [kind, ended_at !== null])).toEqual([
    ['down', true],
    ['down', true],
    ['down', true],
    ['flapping', false],
  ])
  expect((await listAlerts()).slice(-2)).toEqual([
    'slack a.test is up again after 1 min',
    'slack a.test is flapping: 503',
  ])
  // Three times a minute, from the first failed to the first good probe.
  expect(await listIncidents(at(minuteAt(55)), { open: '1' })).toMatchObject([
    { kind: 'flapping', downtime: 180, calm_since: new Date(noon + 51 * 60_000 + 20_000).toISOString() },
  ])
  expect(await downSince()).toBeNull()

  await round(110, 'up')
  expect((await listAll()).at(-1)?.ended_at).toBeNull()
  await round(111, 'up')
  const last = (await listAll()).at(-1)
  expect(last?.ended_at).toEqual(new Date(noon + 51 * 60_000 + 20_000))
  expect((await listIncidents(at(minuteAt(120)), {}))[0]?.downtime).toBe(180)
  expect((await listAlerts()).slice(-1)).toEqual(['slack a.test is stable again, down for 3 min'])

  // It is calm, so that its next failure is an incident of its own.
  await round(115, 'down')
  expect((await listAll()).at(-1)).toMatchObject({ kind: 'down', ended_at: null })
})

test('announces a flapping web as down once it has not answered for ten minutes', async () => {
  await flap([0, 5, 10])
  for (let minute = 20; minute <= 29; minute++) await round(minute, 'down')
  expect((await listAll()).at(-1)).toMatchObject({ kind: 'flapping' })
  await round(30, 'down')
  expect((await listAll()).at(-1)).toMatchObject({ kind: 'down', ended_at: null })
  expect((await listAlerts()).slice(-2)).toEqual([
    'slack a.test is flapping: 503',
    'slack a.test is down: 503',
  ])
  await round(31, 'up')
  expect((await listAll()).at(-1)?.ended_at).toEqual(new Date(noon + 31 * 60_000 + 20_000))
  expect((await listAlerts()).slice(-1)).toEqual(['slack a.test is up again after 11 min'])
})

test('tells of a flapping web that went down how long it was down and not monitored, without the time in which it answered', async () => {
  await flap([0, 5, 10, 20])
  for (let minute = 25; minute <= 35; minute++) await round(minute, 'down')
  // Kustos did not run for 14 minutes.
  await round(50, 'up')
  const [sent] = await db.select().from(alertRows).orderBy(desc(alertRows.id)).limit(1)
  expect(sent?.content).toMatchObject({
    title: 'a.test is up again after 11 min',
    lines: expect.arrayContaining([
      'Down: 2026/11/20 13:20:20 to 2026/11/20 13:50:20',
      'Downtime: 11 min, plus 14 min unmonitored',
    ]),
  })
})

test('tells the end of a flapping web that became down while its alerts were held back', async () => {
  await flap([0, 5, 10])
  await round(20, 'down')
  const at = { created_at: new Date(minuteAt(20)), updated_at: new Date(minuteAt(20)) }
  await db
    .insert(deployments)
    .values({ kind: 'updateWeb', state: 'running', fqdn: 'a.test', web_id: a, ...at })
  for (let minute = 21; minute <= 31; minute++) await round(minute, 'down')
  expect((await listAll()).at(-1)).toMatchObject({ kind: 'down', ended_at: null })
  expect((await listAlerts()).slice(-1)).toEqual(['slack a.test is flapping: 503'])
  await round(32, 'up')
  expect((await listAlerts()).slice(-2)).toEqual([
    'slack a.test is flapping: 503',
    'slack a.test is up again after 12 min',
  ])
})

test('does not count incidents that nobody was told of', async () => {
  await flap([0, 5, 10])
  await db.update(incidents).set({ alerted_at: null })
  await round(20, 'down')
  expect((await listAll()).at(-1)).toMatchObject({ kind: 'down' })
})

test('shows since when a flapping web is down, and needs a second probe for its failures', async () => {
  await flap([0, 10, 20, 30])
  await round(35, 'unconfirmed')
  expect(await downSince()).toBeNull()
  await round(40, 'down')
  const incident = (await listAll()).at(-1)
  expect(incident?.kind).toBe('flapping')
  expect(await downSince()).toEqual(incident?.started_at)
  await round(41, 'unconfirmed')
  await round(42, 'up')
  expect((await listIncidents(at(minuteAt(50)), { open: '1' }))[0]?.downtime).toBe(60 + 120)
  expect(await db.$count(incidentGaps)).toBe(1)
})

test('counts no time without rounds as the downtime of a flapping web', async () => {
  await flap([0, 10, 20])
  await round(30, 'down')
  // Kustos did not run for twenty minutes.
  await round(50, 'up')
  await round(52, 'down')
  await round(53, 'up')
  expect((await listIncidents(at(minuteAt(60)), { open: '1' }))[0]?.downtime).toBe(40 + 60)
})

test('ends the incident of a flapping web that is not monitored any more', async () => {
  await flap([0, 10, 20, 30])
  await db.update(webs).set({ monitoring_web_active: false })
  await addRound(minuteAt(40), others)
  await evaluateRound(at(minuteAt(42)), tools, settings)
  expect((await listAll()).at(-1)?.ended_at).toEqual(new Date(noon + 31 * 60_000 + 20_000))
})

test('takes three incidents within an hour for single ones', async () => {
  await flap([0, 20, 40, 65])
  expect(new Set((await listAll()).map(({ kind }) => kind))).toEqual(new Set(['down']))
})

test('reminds of an incident as often as configured, until it ends', async () => {
  const remind = async (minute: number, reminders: '1h' | 'never' = '1h') => {
    await remindOfIncidents(at(minuteAt(minute)), tools, reminders)
    return (await listAlerts()).length
  }
  await round(0, 'down')
  expect(await remind(61)).toBe(1)
  expect(await remind(62, 'never')).toBe(1)
  expect(await remind(62)).toBe(2)
  expect(await remind(121)).toBe(2)
  expect(await remind(122)).toBe(3)
  expect((await listAlerts()).slice(1)).toEqual([
    'slack a.test is still down after 1 h 1 min: 503',
    'slack a.test is still down after 2 h 1 min: 503',
  ])
  await round(123, 'up')
  expect(await remind(300)).toBe(4)
})

test('counts the time until a reminder from the last alert', async () => {
  await round(0, 'down')
  expect(await remindOfIncidents(at(minuteAt(62)), tools, '1h')).toEqual({ reminded: 1 })
  await db.update(incidents).set({ alerted_at: new Date(minuteAt(100)) })
  expect(await remindOfIncidents(at(minuteAt(125)), tools, '1h')).toBeNull()
  expect(await remindOfIncidents(at(minuteAt(160)), tools, '1h')).toEqual({ reminded: 1 })
})

test('reminds of several incidents in one message', async () => {
  const rows = await db
    .insert(webs)
    .values(
      ['d.test', 'e.test'].map((fqdn) => monitoredWeb(fqdn, { monitoring_web_reporting_channel: 'slack' })),
    )
    .returning()
  await addRound(minuteAt(0), {
    ...others,
    ...Object.fromEntries([a, ...rows.map(({ id }) => id)].map((id) => [id, 'down'])),
  })
  await evaluateRound(at(minuteAt(2)), tools, settings)
  expect(await remindOfIncidents(at(minuteAt(70)), tools, '1h')).toEqual({ reminded: 3 })
  expect((await listAlerts()).at(-1)).toBe('slack 3 webs are still affected')
})
