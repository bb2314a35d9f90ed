import {
  alertRoutes,
  alerts as alertRows,
  checks,
  degradations,
  incidents,
  statistics,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { rollUp } from '../../src/monitoring/roll-up.ts'
import { listUptime } from '../../src/monitoring/uptime.ts'
import { addChannel, addRoute } from './add-route.ts'
import { openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, addWebs, alerts, at } = await openRounds(database)

/** Adds a round and evaluates it. @param time of 2026-11-20 */
async function round(time: string, seen: Readonly<Record<number, Seen>>) {
  const start = `2026-11-20T${time}Z`
  const withSeconds = Object.entries(seen).map(([web, outcome]) => [web, [outcome, 10]] as const)
  await addRound(start, Object.fromEntries(withSeconds))
  const later = new Date(Date.parse(start) + 100_000).toISOString()
  return evaluateRound(at(later), alerts, settings)
}
const degradationOf = (web: number) =>
  db.select().from(degradations).where(eq(degradations.web_id, web)).orderBy(degradations.id)
const time = (clock: string) => new Date(`2026-11-20T${clock}Z`)

test('lasts from the first degraded probe to the next good one, through failures', async () => {
  const [web = 0, other = 0] = await addWebs('a.test', 'b.test')
  const seen: Seen[] = ['up', 'degraded', 'degraded', 'down', 'degraded', 'up', 'degraded']
  for (const [minute, outcome] of seen.entries())
    await round(`10:0${minute}:00`, { [web]: outcome, [other]: 'up' })
  expect(await degradationOf(web)).toMatchObject([
    { started_at: time('10:01:10'), ended_at: time('10:05:10') },
    { started_at: time('10:06:10'), ended_at: null },
  ])
  expect(await db.select().from(incidents)).toMatchObject([
    { web_id: web, started_at: time('10:03:10'), ended_at: time('10:04:10') },
  ])
  expect(await degradationOf(other)).toEqual([])
})

test('is no failure of a round, also if all webs are degraded', async () => {
  const ids = await addWebs('c.test', 'd.test', 'e.test')
  const all = (outcome: Seen) => Object.fromEntries(ids.map((id) => [id, outcome]))
  expect(await round('11:00:00', all('degraded'))).toMatchObject({ state: 'known', probes: 3, failures: 0 })
  expect(await degradationOf(ids[0] ?? 0)).toHaveLength(1)
})

test('has the reason of the latest probe', async () => {
  const [web = 0, other = 0] = await addWebs('f.test', 'g.test')
  await round('12:00:00', { [web]: 'degraded', [other]: 'up' })
  await addRound('2026-11-20T12:01:00Z', { [web]: ['degraded', 10], [other]: ['up', 10] })
  await db
    .update(statistics)
    .set({ reason: 'the page is empty', reason_code: 'page_empty' })
    .where(eq(statistics.round_at, time('12:01:00')))
  await evaluateRound(at('2026-11-20T12:03:00Z'), alerts, settings)
  expect(await degradationOf(web)).toMatchObject([
    { started_at: time('12:00:10'), reason_code: 'page_empty' },
  ])
})

test('ends when the web is no longer monitored', async () => {
  const [web = 0, other = 0] = await addWebs('h.test', 'i.test')
  await round('13:00:00', { [web]: 'degraded', [other]: 'up' })
  await db.update(webs).set({ monitoring_web_active: false }).where(eq(webs.id, web))
  await round('13:01:00', { [other]: 'up' })
  expect(await degradationOf(web)).toMatchObject([{ ended_at: time('13:01:00') }])
})

test('counts in the figures of a day, without downtime, and with its response times', async () => {
  const [web = 0] = await addWebs('j.test')
  for (const [minute, outcome] of (['up', 'degraded', 'degraded', 'up'] as const).entries())
    await round(`14:0${minute}:00`, { [web]: outcome })
  const read = () => listUptime(at('2026-11-21T12:00:00Z'), { web, begin: '2026-11-20', end: '2026-11-20' })
  const figures = { checks: 4, failures: 0, degraded: 2, downtime: 0, uptime: 100, response_time_ms: 50 }
  expect(await read()).toMatchObject([figures])
  expect(await rollUp(at('2026-11-21T12:00:00Z'))).toEqual({ days: ['2026-11-20'] })
  expect(await read()).toMatchObject([figures])
})

test('is announced to the channels of routes for degraded webs, as far as its check asks for alerts', async () => {
  const [web = 0, silent = 0, other = 0] = await addWebs('k.test', 'l.test', 'm.test')
  await db.insert(checks).values({ web_id: web, settings: { alerts_degraded: true } })
  const channel = await addChannel(db, 'Desk')
  const steps = [{ after_minutes: 0, channels: [channel], rotas: [] }]
  await addRoute(db, { severities: ['degraded'], steps })
  await round('15:00:00', { [web]: 'degraded', [silent]: 'degraded', [other]: 'up' })
  await round('15:01:00', { [web]: 'up', [silent]: 'up', [other]: 'up' })
  const rows = await db
    .select()
    .from(alertRows)
    .where(eq(alertRows.channel_id, channel))
    .orderBy(alertRows.id)
  expect(rows.map(({ content }) => content.title.replace(/:.*/, ''))).toEqual([
    'k.test is degraded',
    'k.test is no longer degraded after 1 min',
  ])
})

test('is announced as ended to those who were told of it, whatever the routes are then', async () => {
  const [web = 0, other = 0] = await addWebs('n.test', 'o.test')
  await db.insert(checks).values({ web_id: web, settings: { alerts_degraded: true } })
  const [first, second] = [await addChannel(db, 'First'), await addChannel(db, 'Second')]
  const to = (channel: number) => [{ after_minutes: 0, channels: [channel], rotas: [] }]
  await db.delete(alertRoutes)
  const route = await addRoute(db, { severities: ['degraded'], steps: to(first) })
  await round('16:00:00', { [web]: 'degraded', [other]: 'up' })
  await db
    .update(alertRoutes)
    .set({ steps: to(second) })
    .where(eq(alertRoutes.id, route))
  await round('16:01:00', { [web]: 'up', [other]: 'up' })
  const rows = await db.select().from(alertRows).orderBy(alertRows.id)
  const lines = rows.map(
    ({ channel_id, content }) => `${channel_id}: ${content.title.replace(/:.*| after.*/, '')}`,
  )
  expect(lines.filter((line) => line.includes('n.test'))).toEqual([
    `${first}: n.test is degraded`,
    `${first}: n.test is no longer degraded`,
  ])
})

test('is noted as announced in one statement for all webs of which the same people are notified', async () => {
  const ids = await addWebs('p.test', 'q.test', 'r.test')
  await db.insert(checks).values(ids.map((web_id) => ({ web_id, settings: { alerts_degraded: true } })))
  await database.owner.pool.query(`
    create table noted (webs int);
    create function note_updates() returns trigger language plpgsql security definer as $$
      begin insert into noted select count(*) from after; return null; end $$;
    create trigger noted after update on degradations referencing new table as after
      for each statement when (pg_trigger_depth() = 0) execute function note_updates()`)
  await round('17:00:00', Object.fromEntries(ids.map((id) => [id, 'degraded' as const])))
  const { rows } = await database.owner.pool.query('select webs from noted where webs > 0')
  expect(rows).toEqual([{ webs: 3 }])
  for (const id of ids) expect(await degradationOf(id)).toMatchObject([{ alerted_at: expect.any(Date) }])
})
