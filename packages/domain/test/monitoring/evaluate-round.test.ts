import {
  deployments,
  incidentGaps,
  incidents,
  probeRounds,
  statistics,
  transientFailure,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { listIncidents } from '../../src/monitoring/incidents.ts'
import { readMonitoring } from '../../src/monitoring/list.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, addWebs, alerts, at } = await openRounds(database)

let a = 0
let b = 0
let c = 0
beforeEach(async () => {
  await db.delete(incidents)
  await db.delete(statistics)
  await db.delete(probeRounds)
  await db.delete(deployments)
  await db.delete(webs)
  ;[a = 0, b = 0, c = 0] = await addWebs('a.test', 'b.test', 'c.test')
})

/** Adds a round on 20 November and evaluates it when it is overdue. */
async function round(time: string, seen: Readonly<Record<number, Seen | readonly [Seen, number]>>) {
  await addRound(`2026-11-20T${time}Z`, seen)
  const later = new Date(Date.parse(`2026-11-20T${time}Z`) + 100_000).toISOString()
  return evaluateRound(at(later), alerts, settings)
}

const listAllIncidents = () => db.select().from(incidents).orderBy(asc(incidents.id))
const time = (text: string) => new Date(`2026-11-20T${text}Z`)

test('opens an incident at the first failed probe once confirmed, and resolves it at the first good one', async () => {
  expect(await round('10:00:00', { [a]: 'up', [b]: ['down', 20], [c]: 'up' })).toMatchObject({
    state: 'known',
    probes: 3,
    failures: 1,
    opened: 1,
    ended: 0,
  })
  expect(await listAllIncidents()).toMatchObject([
    {
      web_id: b,
      started_at: time('10:00:20'),
      ended_at: null,
      status: 503,
      reason: 'the server responded with status 503',
      reason_code: 'status_down',
      reason_params: { status: 503 },
    },
  ])
  const [web] = await db.select().from(webs).where(eq(webs.id, b))
  expect(web?.down_since).toEqual(time('10:00:20'))

  await round('10:01:00', { [a]: 'up', [b]: ['unconfirmed', 20], [c]: 'up' })
  expect(await listAllIncidents()).toMatchObject([{ last_failed_at: time('10:01:20'), ended_at: null }])
  await round('10:02:00', { [a]: 'up', [b]: ['up', 20], [c]: 'up' })
  expect(await listAllIncidents()).toMatchObject([{ ended_at: time('10:02:20') }])
  const [after] = await db.select().from(webs).where(eq(webs.id, b))
  expect(after?.down_since).toBeNull()
  expect(await listIncidents(at('2026-11-20T11:00:00Z'), { web: b })).toMatchObject([
    { web: { id: b, fqdn: 'b.test', customer: 'ALPEN' }, downtime: 120 },
  ])
})

test('opens no incident without a second probe that confirms it', async () => {
  await round('10:00:00', { [a]: transientFailure, [b]: 'unconfirmed', [c]: 'up' })
  expect(await listAllIncidents()).toEqual([])
})

test('does not count time without rounds as downtime', async () => {
  await round('10:00:00', { [a]: 'down', [b]: 'up', [c]: 'up' })
  await round('10:01:00', { [a]: 'unconfirmed', [b]: 'up', [c]: 'up' })
  // Kustos did not run for an hour.
  await round('11:01:00', { [a]: 'unconfirmed', [b]: 'up', [c]: 'up' })
  await round('11:02:00', { [a]: 'up', [b]: 'up', [c]: 'up' })
  expect(await db.select().from(incidentGaps)).toMatchObject([
    { started_at: time('10:02:00'), ended_at: time('11:01:00') },
  ])
  expect(await listIncidents(at('2026-11-20T12:00:00Z'), {})).toMatchObject([{ downtime: 180 }])
})

test('does not count time without rounds if the web responds again afterwards', async () => {
  await round('10:00:00', { [a]: 'down', [b]: 'up', [c]: 'up' })
  await round('11:00:00', { [a]: 'up', [b]: 'up', [c]: 'up' })
  expect(await listIncidents(at('2026-11-20T12:00:00Z'), {})).toMatchObject([
    { ended_at: time('11:00:00').toISOString(), downtime: 60 },
  ])
})

test('records a gap for a round that missed the web', async () => {
  await round('10:00:00', { [a]: 'down', [b]: 'up', [c]: 'up' })
  await round('10:01:00', { [b]: 'up', [c]: 'up' })
  await round('10:02:00', { [a]: 'unconfirmed', [b]: 'up', [c]: 'up' })
  expect(await listIncidents(at('2026-11-20T12:00:00Z'), {})).toMatchObject([{ downtime: 120 }])
})

test('marks a round as unknown if all its probes failed', async () => {
  await round('10:00:00', { [a]: 'down', [b]: 'up', [c]: 'up' })
  expect(await round('10:01:00', { [a]: 'unconfirmed', [b]: 'down', [c]: 'down' })).toMatchObject({
    state: 'unknown',
    opened: 0,
  })
  expect(new Set((await db.select().from(statistics)).map((row) => row.outcome))).toContain('unknown')
  await round('10:02:00', { [a]: 'up', [b]: 'up', [c]: 'up' })
  expect(await listAllIncidents()).toHaveLength(1)
  // From the first failure to the end of its round.
  expect(await listIncidents(at('2026-11-20T12:00:00Z'), {})).toMatchObject([{ downtime: 60 }])
})

test('opens an incident for a single monitored web that fails', async () => {
  await round('10:00:00', { [a]: 'down' })
  expect(await listAllIncidents()).toHaveLength(1)
})

test('ends the incident of an unmonitored web with the last round that saw it', async () => {
  await round('10:00:00', { [a]: 'down', [b]: 'down', [c]: 'up' })
  await db.update(webs).set({ monitoring_web_active: false }).where(eq(webs.id, a))
  await db
    .update(webs)
    .set({ deleted_at: time('10:00:30') })
    .where(eq(webs.id, b))
  await round('10:01:00', { [c]: 'up' })
  expect(await listAllIncidents()).toMatchObject([
    { ended_at: time('10:01:00') },
    { ended_at: time('10:01:00') },
  ])
  const rows = await db.select().from(webs)
  expect(rows.map((row) => row.down_since)).toEqual([null, null, null])
})

test('evaluates a round once, in order, and not before it is complete or overdue', async () => {
  await addRound('2026-11-20T10:00:00Z', { [a]: 'up', [b]: 'up', [c]: 'up' })
  await addRound('2026-11-20T10:01:00Z', { [a]: 'up', [b]: 'up', [c]: 'up' })
  expect(await evaluateRound(at('2026-11-20T10:01:34Z'), alerts, settings)).toBeNull()
  const first = await Promise.all(
    Array.from({ length: 4 }, () => evaluateRound(at('2026-11-20T10:01:36Z'), alerts, settings)),
  )
  expect(first.filter((outcome) => outcome !== null)).toMatchObject([{ round: time('10:00:00') }])
  expect(await evaluateRound(at('2026-11-20T10:01:36Z'), alerts, settings)).toBeNull()
  expect(await evaluateRound(at('2026-11-20T10:02:36Z'), alerts, settings)).toMatchObject({
    round: time('10:01:00'),
  })
})

test('notifies no screen if nothing changed', async () => {
  const revision = async () =>
    (await database.pool.query(`select revision from revisions where list = 'webs'`)).rows[0].revision
  await round('10:00:00', { [a]: 'down', [b]: 'up', [c]: 'up' })
  const before = await revision()
  await round('10:01:00', { [a]: 'unconfirmed', [b]: 'up', [c]: 'up' })
  expect(await revision()).toBe(before)
})

test('delays alerts while a deployment runs on the web, and sends them if it is still down', async () => {
  const alertedAt = async () => (await listAllIncidents()).map((row) => row.alerted_at)
  const [deployment] = await db
    .insert(deployments)
    .values({
      kind: 'updateWeb',
      state: 'running',
      fqdn: 'a.test',
      web_id: a,
      created_at: time('09:59:00'),
      updated_at: time('09:59:00'),
    })
    .returning()
  await round('10:00:00', { [a]: 'down', [b]: 'up', [c]: 'up' })
  expect(await alertedAt()).toEqual([null])
  await db
    .update(deployments)
    .set({ state: 'succeeded' })
    .where(eq(deployments.id, deployment?.id ?? 0))
  await round('10:01:00', { [a]: 'unconfirmed', [b]: 'up', [c]: 'up' })
  expect(await alertedAt()).toEqual([time('10:02:40')])
})

test('suppresses a failure during a deployment that ended before the evaluation', async () => {
  const alertedAt = async () => (await listAllIncidents()).map((row) => row.alerted_at)
  await db.insert(deployments).values({
    kind: 'updateWeb',
    state: 'succeeded',
    fqdn: 'a.test',
    web_id: a,
    created_at: time('09:59:00'),
    updated_at: time('10:00:45'),
    ended_at: time('10:00:45'),
  })
  await round('10:00:00', { [a]: ['down', 15], [b]: 'up', [c]: 'up' })
  expect(await alertedAt()).toEqual([null])
  await round('10:01:00', { [a]: ['up', 15], [b]: 'up', [c]: 'up' })
  await round('10:02:00', { [a]: ['down', 15], [b]: 'up', [c]: 'up' })
  expect(await alertedAt()).toEqual([null, time('10:03:40')])
})

test('opens no incident for a web that is no longer monitored', async () => {
  await addRound('2026-11-20T10:00:00Z', { [a]: 'down', [b]: 'up', [c]: 'up' })
  await db.update(webs).set({ monitoring_web_active: false }).where(eq(webs.id, a))
  expect(await evaluateRound(at('2026-11-20T10:02:00Z'), alerts, settings)).toMatchObject({ opened: 0 })
  expect(await listAllIncidents()).toEqual([])
})

test('does not count a longer interval as observed time', async () => {
  await round('10:00:00', { [a]: ['down', 30], [b]: 'up', [c]: 'up' })
  // PROBE_INTERVAL has become an hour.
  await round('11:00:00', { [a]: ['up', 30], [b]: 'up', [c]: 'up' })
  expect(await listIncidents(at('2026-11-20T12:00:00Z'), {})).toMatchObject([{ downtime: 30 }])
})

test('counts a web as observed if it is probed early in one round and late in the next', async () => {
  await round('10:00:00', { [a]: ['down', 1], [b]: 'up', [c]: 'up' })
  await round('10:01:00', { [a]: ['unconfirmed', 50], [b]: 'up', [c]: 'up' })
  await round('10:02:00', { [a]: ['up', 50], [b]: 'up', [c]: 'up' })
  expect(await db.select().from(incidentGaps)).toEqual([])
  expect(await listIncidents(at('2026-11-20T12:00:00Z'), {})).toMatchObject([{ downtime: 169 }])
})

test('leaves out internal webs and those that are not online', async () => {
  await db
    .insert(webs)
    .values([
      monitoredWeb('own.intern.test'),
      monitoredWeb('extern.test', { domain_status: 2 }),
      monitoredWeb('off.test', { status: 16 }),
    ])
  expect(await readMonitoring(at('2026-11-20T12:00:00Z'), settings)).toMatchObject({
    monitored: 3,
    last_round: null,
  })
})
