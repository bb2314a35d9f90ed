import type { NewJob } from '@kustos/clients/queue'
import {
  alerts as alertRows,
  deployments,
  incidents,
  nodes,
  probeRounds,
  statistics,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { announceIncidents } from '../../src/monitoring/announce-incidents.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { announcementOf } from '../../src/monitoring/jobs.ts'
import { markWebs } from '../../src/monitoring/mark-webs.ts'
import { openIncidents } from '../../src/monitoring/open-incidents.ts'
import { openAlerting } from './alert-environment.ts'
import { numbers } from './round-news.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, at } = await openRounds(database)
const { tools, listAlerts } = await openAlerting(database)

/** Three of node n1, then three without a node, then thirty of node n2. */
let ids: number[] = []
beforeEach(async () => {
  for (const table of [deployments, incidents, statistics, probeRounds, alertRows, webs, nodes])
    await db.delete(table)
  const [n1, n2] = await db
    .insert(nodes)
    .values(['n1', 'n2'].map((name) => ({ name, plesk_fqdn: name })))
    .returning({ id: nodes.id })
  const rows = await db
    .insert(webs)
    .values(
      numbers(36).map((id) =>
        monitoredWeb(`w${id}.test`, {
          monitoring_web_reporting_channel: 'slack',
          node_id: (id <= 3 ? n1?.id : id <= 6 ? null : n2?.id) ?? null,
        }),
      ),
    )
    .returning({ id: webs.id })
  ids = rows.map(({ id }) => id)
})

const first = '2026-11-20T10:00:00Z'
const second = '2026-11-20T10:01:00Z'
const seen = (places: readonly number[], outcome: Seen) =>
  Object.fromEntries(places.map((place) => [ids[place - 1] ?? 0, [outcome, 20] as const]))

/** Opens incidents as a worker does that has confirmed the failures of these webs. */
const confirm = (round: string, places: readonly number[]) =>
  db.transaction(async (tx) => {
    const which = sql.param(places.map((place) => ids[place - 1] ?? 0))
    await tx
      .update(statistics)
      .set({ outcome: 'down' })
      .where(sql`round_at = ${round} and web_id = any(${which}::int[])`)
    await openIncidents(
      tx,
      { at: new Date(round), intervalMs: 60_000 },
      settings,
      sql`s.web_id = any(${which}::int[])`,
    )
    await markWebs(tx)
  })
const announceAt = async (time: string) => {
  expect(await announceIncidents(at(time), tools, settings)).toBe('done')
  return listAlerts()
}
const evaluateAt = (time: string) => evaluateRound(at(time), tools, settings)

test('announces an incident while its round is still being probed, once', async () => {
  await addRound(first, { ...seen([1, 2], 'up'), ...seen([4], 'unconfirmed') })
  await confirm(first, [4])
  expect(await announceAt('2026-11-20T10:00:33Z')).toEqual(['slack w4.test is down: 503'])
  expect(await announceAt('2026-11-20T10:00:35Z')).toHaveLength(1)
  expect(await evaluateAt('2026-11-20T10:01:40Z')).toMatchObject({ state: 'known', failures: 1, opened: 0 })
  expect(await listAlerts()).toHaveLength(1)
  await addRound(second, seen([1, 2, 4], 'up'))
  await evaluateAt('2026-11-20T10:02:40Z')
  expect(await listAlerts()).toEqual(['slack w4.test is down: 503', 'slack w4.test is up again after 1 min'])
})

test('does not end an incident with an earlier round that is evaluated later', async () => {
  await addRound(first, seen([1, 4], 'up'))
  await addRound(second, { ...seen([1], 'up'), ...seen([4], 'unconfirmed') })
  await confirm(second, [4])
  expect(await evaluateAt('2026-11-20T10:01:36Z')).toMatchObject({ round: new Date(first), ended: 0 })
  expect(await db.select().from(incidents)).toMatchObject([{ ended_at: null }])
  await evaluateAt('2026-11-20T10:02:36Z')
  const [incident] = await db.select().from(incidents)
  expect(incident).toMatchObject({
    started_at: new Date('2026-11-20T10:01:20Z'),
    watched_until: new Date('2026-11-20T10:02:00Z'),
    ended_at: null,
  })
})

test('names the node whose webs failed together', async () => {
  await addRound(first, { ...seen([4, 5, 6], 'up'), ...seen([1, 2, 3], 'unconfirmed') })
  await confirm(first, [1, 2, 3])
  expect(await announceAt('2026-11-20T10:00:33Z')).toEqual(['slack n1: 3 webs are down'])
})

test('has one message for the other webs of a node that was announced, within five seconds', async () => {
  await addRound(first, { ...seen([4, 5], 'up'), ...seen([6, ...numbers(30, 7)], 'unconfirmed') })
  await confirm(first, numbers(4, 7))
  expect(await announceAt('2026-11-20T10:00:33Z')).toEqual(['slack n2: 4 webs are down'])
  await confirm(first, [6, ...numbers(20, 11)])
  // The web that is on no node does not wait for them.
  expect((await announceAt('2026-11-20T10:00:35Z')).slice(1)).toEqual(['slack w6.test is down: 503'])
  expect(await announceAt('2026-11-20T10:00:35.900Z')).toHaveLength(2)
  expect((await announceAt('2026-11-20T10:00:36Z')).slice(2)).toEqual(['slack n2: 20 webs are down'])
  await confirm(first, numbers(6, 31))
  expect(await announceAt('2026-11-20T10:00:38Z')).toHaveLength(3)
  await evaluateAt('2026-11-20T10:01:40Z')
  expect((await listAlerts()).slice(3)).toEqual(['slack n2: 6 webs are down'])
})

test('counts nodes at the same address as one', async () => {
  await db.update(nodes).set({ address: '192.0.2.1' })
  await addRound(first, { ...seen([4, 5], 'up'), ...seen([1, 2, ...numbers(4, 7)], 'unconfirmed') })
  await confirm(first, [1, 7, 8])
  expect(await announceAt('2026-11-20T10:00:33Z')).toEqual(['slack n1, n2: 3 webs are down'])
  await confirm(first, [2])
  expect(await announceAt('2026-11-20T10:00:35Z')).toHaveLength(1)
  expect((await announceAt('2026-11-20T10:00:36Z')).slice(1)).toEqual(['slack w2.test is down: 503'])
})

test('has one message for whatever follows many webs, within five seconds', async () => {
  await addRound(first, { ...seen([1], 'up'), ...seen([4, 5, 6, ...numbers(30, 7)], 'unconfirmed') })
  await confirm(first, numbers(30, 7))
  expect(await announceAt('2026-11-20T10:00:33Z')).toEqual(['slack n2: 30 webs are down'])
  await confirm(first, [4, 5])
  expect(await announceAt('2026-11-20T10:00:35Z')).toHaveLength(1)
  expect((await announceAt('2026-11-20T10:00:36Z')).slice(1)).toEqual(['slack 2 more webs are down'])
  await confirm(first, [6])
  expect(await announceAt('2026-11-20T10:00:38Z')).toHaveLength(2)
  expect((await announceAt('2026-11-20T10:00:39Z')).slice(2)).toEqual(['slack w6.test is down: 503'])
})

test('enqueues a job for those that wait', async () => {
  const added: NewJob[] = []
  const queues = { ...tools.queues, add: async (job: NewJob) => void added.push(job) }
  await addRound(first, { ...seen([4], 'up'), ...seen([1, 2, 3, ...numbers(4, 7)], 'unconfirmed') })
  const announceWith = (time: string) => announceIncidents(at(time), { ...tools, queues }, settings)
  await confirm(first, numbers(3, 7))
  await announceWith('2026-11-20T10:00:33Z')
  expect(added).toEqual([])
  await confirm(first, [10])
  await announceWith('2026-11-20T10:00:35Z')
  expect(added).toEqual([announcementOf(new Date('2026-11-20T10:00:35Z'))])
  expect(added).toMatchObject([{ delayMs: 1_000 }])
})

test.each([
  ['exportDatabase', 1],
  ['exportDatabaseKick', 1],
  ['backupWeb', 1],
  ['updateWeb', 0],
  ['importDatabase', 0],
  ['newWeb', 0],
] as const)('during %s sends %i alerts', async (kind, count) => {
  await db.insert(deployments).values({
    kind,
    state: 'running',
    fqdn: 'w4.test',
    web_id: ids[3] ?? 0,
    created_at: new Date(first),
    updated_at: new Date(first),
  })
  await addRound(first, { ...seen([1], 'up'), ...seen([4], 'unconfirmed') })
  await confirm(first, [4])
  expect(await announceAt('2026-11-20T10:00:33Z')).toHaveLength(count)
  await evaluateAt('2026-11-20T10:01:40Z')
  expect(await listAlerts()).toHaveLength(count)
})

test('has one job for all workers in each window, which ends within two seconds', () => {
  const job = (time: string) => announcementOf(new Date(time))
  const early = job('2026-11-20T10:00:00.000Z')
  const late = job('2026-11-20T10:00:01.900Z')
  expect(early).toMatchObject({ queue: 'notification', delayMs: 2_000 })
  expect(late).toMatchObject({ id: early.id, delayMs: 100 })
  expect(job('2026-11-20T10:00:02.000Z').id).not.toBe(early.id)
})

test('opens one incident if the worker and the evaluation find the same failure', async () => {
  await addRound(first, { ...seen([1], 'up'), ...seen([4], 'down') })
  await Promise.all([confirm(first, [4]), evaluateAt('2026-11-20T10:01:40Z')])
  expect(await db.select().from(incidents).orderBy(asc(incidents.id))).toHaveLength(1)
  const [web] = await db
    .select()
    .from(webs)
    .where(eq(webs.id, ids[3] ?? 0))
  expect(web?.down_since).toEqual(new Date('2026-11-20T10:00:20Z'))
})
