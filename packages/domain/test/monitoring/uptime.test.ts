import { webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { partitionDays, purgeStatistics } from '../../src/monitoring/partitions.ts'
import { rollUp } from '../../src/monitoring/roll-up.ts'
import { listStatistics } from '../../src/monitoring/statistics.ts'
import { listUptime } from '../../src/monitoring/uptime.ts'
import { lockInTransaction } from '../../src/platform/locks.ts'
import { openRounds, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, addWebs, alerts, at } = await openRounds(database)

let web = 0
let other = 0
/** Five rounds before and five after midnight in Rome, which is 23:00 UTC; the web is down in the middle ones. */
beforeAll(async () => {
  ;[web = 0, other = 0] = await addWebs('web.test', 'other.test')
  for (let minute = -5; minute < 5; minute++) {
    const time = new Date(Date.parse('2026-11-19T23:00:00Z') + minute * 60_000)
    const seen = minute === -2 ? 'down' : minute > -2 && minute < 3 ? 'unconfirmed' : 'up'
    await addRound(time.toISOString(), { [web]: [seen, 30], [other]: ['up', 31] })
    await evaluateRound(at(new Date(time.getTime() + 100_000).toISOString()), alerts, settings)
  }
})

const uptime = (now: string, begin: string, end: string, id = web) =>
  listUptime(at(now), { web: id, begin, end })

test('counts days from the first probe to today, split at midnight in Rome', async () => {
  const days = await uptime('2026-11-20T12:00:00Z', '2026-11-01', '2026-12-31')
  expect(days).toMatchObject([
    {
      date: '2026-11-19',
      downtime: 90,
      checks: 5,
      failures: 2,
      uptime: 70,
      response_time_ms: 70,
      unknown: 86_400 - 300,
    },
    { date: '2026-11-20', downtime: 210, checks: 5, failures: 3, uptime: 30, unknown: 13 * 3600 - 300 },
  ])
  expect(await uptime('2026-11-20T12:00:00Z', '2026-11-20', '2026-11-20')).toHaveLength(1)
  expect(await uptime('2026-11-20T12:00:00Z', '2026-11-01', '2026-11-18')).toEqual([])
})

test('returns no days without probes and 404 for an unknown web', async () => {
  const [fresh = 0] = await addWebs('fresh.test')
  expect(await uptime('2026-11-20T12:00:00Z', '2026-11-01', '2026-11-20', fresh)).toEqual([])
  await expect(uptime('2026-11-20T12:00:00Z', '2026-11-01', '2026-11-20', 9_999)).rejects.toThrow(
    'Web 9999 was not found.',
  )
})

test('rolls up a finished day once without changing it, and drops its statistics after 14 days', async () => {
  const before = await uptime('2026-11-20T12:00:00Z', '2026-11-01', '2026-11-19')
  expect(await rollUp(at('2026-11-19T22:59:00Z'))).toBeNull()
  // Another run is at work.
  await database.db.transaction(async (tx) => {
    await lockInTransaction(tx, 'roll-up')
    expect(await rollUp(at('2026-11-20T00:30:00Z'))).toBeNull()
  })
  expect(await rollUp(at('2026-11-20T00:30:00Z'))).toEqual({ days: ['2026-11-19'] })
  expect(await rollUp(at('2026-11-20T00:30:00Z'))).toBeNull()
  expect(await uptime('2026-11-20T12:00:00Z', '2026-11-01', '2026-11-19')).toEqual(before)

  expect(await purgeStatistics(at('2026-12-03T12:00:00Z'))).toBeNull()
  // The 20th is kept although it is old, because it is not rolled up yet.
  expect(await purgeStatistics(at('2026-12-31T12:00:00Z'))).toEqual({ days: ['2026-11-19'] })
  expect(await partitionDays(db)).toEqual(['2026-11-20'])
  const keptDay = await uptime('2026-11-21T12:00:00Z', '2026-11-20', '2026-11-20')
  expect(keptDay).toMatchObject([{ checks: 5, downtime: 210 }])
  expect(await rollUp(at('2026-12-31T12:00:00Z'))).toEqual({ days: ['2026-11-20'] })
  expect(await uptime('2026-12-31T12:00:00Z', '2026-11-20', '2026-11-20')).toEqual(keptDay)
  expect(await uptime('2026-11-20T12:00:00Z', '2026-11-01', '2026-11-19')).toEqual(before)
  const later = await uptime('2027-01-02T12:00:00Z', '2026-11-19', '2027-01-02')
  expect(later).toHaveLength(45)
  expect(later.at(-1)).toMatchObject({ date: '2027-01-02', downtime: 0, checks: 0, uptime: null })
})

test('pages statistics without gaps, even with equal times', async () => {
  const [first = 0, second = 0, third = 0] = await addWebs('p1.test', 'p2.test', 'p3.test')
  for (const minute of ['10:00', '10:01', '10:02', '10:03'])
    await addRound(`2026-11-20T${minute}:00Z`, {
      [first]: ['up', 5],
      [second]: ['up', 5],
      [third]: ['up', 9],
    })
  const now = at('2026-11-20T12:00:00Z')
  const ids = new Set([first, second, third])
  const seen: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await listStatistics(now, { limit: 2, before })
    expect(page.length).toBeLessThanOrEqual(2)
    const last = page.at(-1)
    if (last === undefined) break
    seen.push(...page.filter((row) => ids.has(row.web.id)).map((row) => `${row.web.id} ${row.created_at}`))
    before = last.created_at
  }
  expect(seen).toHaveLength(12)
  expect(new Set(seen).size).toBe(12)
  const own = await listStatistics(now, { web: third })
  expect(own.map((row) => row.created_at)).toEqual([
    '2026-11-20T10:03:09.000Z',
    '2026-11-20T10:02:09.000Z',
    '2026-11-20T10:01:09.000Z',
    '2026-11-20T10:00:09.000Z',
  ])
})

test('reads six months of one web among a thousand', async () => {
  await db.execute(sql`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip)
    select 'many' || n || '.test', 'many' || n || '.test', 'ALPEN', '192.0.2.7' from generate_series(1, 1000) n`)
  await db.execute(sql`
    insert into uptime_days (web_id, day, downtime, known, checks, failures, response_ms, response_p95_ms)
    select id, day::date, (id * 7) % 300, 86400, 1440, 3, 80, 200
    from webs, generate_series('2026-05-22'::date, '2026-11-18'::date, '1 day') day where fqdn like 'many%'`)
  const [one] = await db.select().from(webs).where(eq(webs.fqdn, 'many500.test'))
  const days = await uptime('2026-11-20T12:00:00Z', '2026-05-22', '2026-11-20', one?.id)
  expect(days).toHaveLength(183)
})
