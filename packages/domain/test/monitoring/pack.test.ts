import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient, openDatabase } from '@kustos/database/client'
import { probeRounds, statistics, uptimeDays } from '@kustos/database/tables'
import { type TestDatabase, testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { type Day, dayAfter, spanOf } from '../../src/monitoring/day.ts'
import { packStatistics } from '../../src/monitoring/pack.ts'
import { ensurePartition, partitionDays, purgeStatistics } from '../../src/monitoring/partitions.ts'
import { rollUp } from '../../src/monitoring/roll-up.ts'
import { listStatistics } from '../../src/monitoring/statistics.ts'
import { listUptime } from '../../src/monitoring/uptime.ts'
import { createContext } from '../../src/platform/context.ts'
import { openRounds } from './rounds.ts'

const minuteMs = 60_000

interface Kind {
  readonly status: number | null
  readonly outcome: string
  readonly response_ms: number | null
  readonly delayMs: number
  readonly reason?: string
  readonly reason_code?: string
  readonly reason_params?: { readonly seconds: number }
}

const up = { status: 200, outcome: 'up', response_ms: 80, delayMs: 7 }
const noConnection = {
  status: null,
  response_ms: null,
  reason: 'no connection within 10 s',
  reason_code: 'no_connection_in_time',
  reason_params: { seconds: 10 },
}

/** What a probe may look like. Packed numbers have 15 bits each, so some are at their borders. */
const kinds: readonly Kind[] = [
  up,
  { ...up, status: 301, response_ms: 0 },
  { ...up, response_ms: 32_767, delayMs: 32_767 },
  { ...up, response_ms: 32_768, delayMs: 32_768 },
  { ...up, response_ms: 2_147_483_647, delayMs: -1 },
  { ...up, status: 503, outcome: 'blip', delayMs: 95_123 },
  { ...up, status: 401, outcome: 'degraded', reason: 'it asks for a login', reason_code: 'login_required' },
  { ...up, status: 503, outcome: 'down' },
  { ...up, ...noConnection, outcome: 'down' },
  { ...up, ...noConnection, outcome: 'unknown', delayMs: 0 },
  { ...up, ...noConnection, outcome: 'down', reason: 'ü\n{"\\', reason_params: { seconds: 11 } },
]

/** Returns functions that add a day of evaluated rounds and read what Kustos answers from them. */
async function open() {
  const database = await testDatabase()
  const rounds = await openRounds(database)
  const { addWebs, at } = rounds
  const ids = await addWebs('a.test', 'b.test', 'c.test', 'young.test')
  const [, , , young = 0] = ids

  /** @param intervalSeconds by the hour of the day; 0 for an hour without rounds */
  async function addDay(day: Day, intervalSeconds: (hour: number) => number): Promise<void> {
    await ensurePartition(database.db, day)
    const { from, to } = spanOf(day)
    const judged: (typeof probeRounds.$inferInsert)[] = []
    const probes: (typeof statistics.$inferInsert)[] = []
    for (let hour = 0; from + hour * 60 * minuteMs < to; hour++) {
      const interval = intervalSeconds(hour)
      for (let second = 0; interval > 0 && second < 3600; second += interval) {
        const round_at = new Date(from + hour * 60 * minuteMs + second * 1000)
        judged.push({
          round_at,
          interval_seconds: interval,
          shards: 1,
          judged_at: new Date(round_at.getTime() + interval * 1000),
          state: 'known',
        })
        for (const [place, web_id] of ids.entries()) {
          // One of them appears at noon, another misses rounds.
          if ((web_id === young && hour < 12) || (place === 1 && second % 7 === 3)) continue
          const { delayMs, ...probe } = kinds[(probes.length * (place + 1) + hour) % kinds.length] ?? up
          probes.push({ ...probe, web_id, round_at, created_at: new Date(round_at.getTime() + delayMs) })
        }
      }
    }
    await database.db.insert(probeRounds).values(judged)
    for (let from = 0; from < probes.length; from += 1_000)
      await database.db.insert(statistics).values(probes.slice(from, from + 1_000))
  }

  async function rollUpDay(day: Day): Promise<void> {
    const after = at(new Date(spanOf(day).to + 10 * minuteMs).toISOString())
    expect(await rollUp(after)).toEqual({ days: [day] })
  }

  /** Everything that the API answers from statistics. */
  async function readAnswers(day: Day) {
    const context = at(new Date(spanOf(dayAfter(day, 1)).to - minuteMs).toISOString())
    const pages = []
    for (let before: string | undefined; ; ) {
      const page = await listStatistics(context, { limit: 700, before })
      if (page.length === 0) break
      pages.push(page)
      before = page.at(-1)?.created_at
    }
    const ofWebs = []
    for (const web of ids) {
      const uptime = await listUptime(context, { web, begin: dayAfter(day, -1), end: dayAfter(day, 1) })
      ofWebs.push({ web, probes: await listStatistics(context, { web, limit: 10_000 }), uptime })
    }
    return { pages, ofWebs, rows: await readRows(database) }
  }

  return { database, ...rounds, ids, addDay, rollUpDay, readAnswers }
}

const everything = sql`statistics_between('-infinity', 'infinity')`

/** Those that readers see, or those of a table. */
async function readRows({ db }: TestDatabase, source = everything) {
  const { rows } = await db.execute(sql`
    select web_id, round_at, created_at, status, response_ms, outcome, reason, reason_code, reason_params
    from ${source} order by web_id, round_at`)
  return rows
}

/** When packing may begin. */
const hoursAfter = (day: Day, hours: number) => new Date(spanOf(day).to + hours * 60 * minuteMs).toISOString()

test.each([
  { day: '2026-03-29', what: 'a day of 23 hours', intervals: () => 300 },
  { day: '2026-10-25', what: 'a day of 25 hours', intervals: () => 300 },
  {
    day: '2026-11-19',
    what: 'a day with gaps and other intervals',
    intervals: (hour: number) => [300, 0, 90, 40, 3600, 150][hour % 6] ?? 0,
  },
])('answers the same from $what once it is packed', async ({ day, intervals }) => {
  const { database, at, addDay, rollUpDay, readAnswers, ids } = await open()
  const { db } = database
  await addDay(day, intervals)
  await rollUpDay(day)
  const before = await readAnswers(day)
  expect(before.rows.length).toBeGreaterThan(800)
  expect(before.rows).toEqual(await readRows(database, sql`${statistics}`))

  expect(await packStatistics(at(hoursAfter(day, 2.9)))).toBeNull()
  expect(await packStatistics(at(hoursAfter(day, 3)))).toEqual({ days: [day] })
  expect(await packStatistics(at(hoursAfter(day, 3)))).toBeNull()

  expect(await partitionDays(db, ['statistics'])).toEqual([])
  expect(await partitionDays(db)).toEqual([day])
  expect(await readAnswers(day)).toEqual(before)
  // Without its day the uptime comes from the probes themselves.
  for (const web of ids) await db.delete(uptimeDays).where(eq(uptimeDays.web_id, web))
  expect((await readAnswers(day)).ofWebs).toEqual(before.ofWebs)
})

test('keeps the days of each year in a partition of its own, also of a year that nobody has foreseen', async () => {
  const { database, ids, addDay, rollUpDay } = await open()
  for (const day of ['2041-12-31', '2042-01-01']) {
    await addDay(day, () => 3600)
    await rollUpDay(day)
  }
  const { rows } = await database.db.execute(sql`
    select tableoid::regclass::text as partition, day::text, count(*)::int as webs from uptime_days group by 1, 2 order by 2`)
  expect(rows).toEqual([
    { partition: 'uptime_days_2041', day: '2041-12-31', webs: ids.length },
    { partition: 'uptime_days_2042', day: '2042-01-01', webs: ids.length },
  ])
})

test('shows every probe once while two workers pack and are killed again and again', async () => {
  const { database, addDay, rollUpDay } = await open()
  const day = '2026-11-19'
  await addDay(day, () => 300)
  await rollUpDay(day)
  const before = await readRows(database)
  const now = () => new Date(hoursAfter(day, 4))

  const packers = [1, 2].map(() => {
    const packer = openDatabase(database.url, { name: 'packer' })
    onTestFinished(() => packer.close())
    return createContext(packer, null, now)
  })
  let isPacked = false
  let kills = 0
  let reads = 0
  const packing = packers.map(async (context) => {
    while (!isPacked) {
      // A broken connection is what the database sees of a killed process.
      await packStatistics(context).catch((error: unknown) => {
        if (!isTransient(error)) throw error
      })
      isPacked = (await partitionDays(database.db, ['packed_statistics'])).length > 0
    }
  })
  const killing = (async () => {
    for (let waitMs = 20; !isPacked && kills < 40; waitMs += 4, await sleep(waitMs)) {
      const { rowCount } = await database.owner.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'packer' and state <> 'idle'`,
      )
      kills += rowCount ?? 0
    }
  })()
  const reading = (async () => {
    for (let isLast = false; !isLast; reads++) {
      isLast = isPacked
      expect(await readRows(database)).toEqual(before)
    }
  })()
  await Promise.all([...packing, killing, reading])
  expect({ kills: kills > 3, reads: reads > 3 }).toEqual({ kills: true, reads: true })
  expect(await partitionDays(database.db, ['statistics'])).toEqual([])
})

test('packs an hour again after a late probe, and replaces the day only once nobody reads it', async () => {
  const { database, at, ids, addDay, rollUpDay } = await open()
  const { db } = database
  const day = '2026-11-19'
  await addDay(day, () => 300)
  await rollUpDay(day)
  const later = at(hoursAfter(day, 4))

  await db.transaction(async (reader) => {
    await reader.execute(sql`select from statistics limit 1`)
    await expect(packStatistics(later)).rejects.toThrow()
  })
  const late = new Date(spanOf(day).from + 7 * minuteMs)
  const [web_id = 0] = ids
  await db.insert(statistics).values({ web_id, round_at: late, created_at: late, outcome: 'up' })
  const before = await readRows(database, sql`${statistics}`)

  expect(await packStatistics(later)).toBeNull()
  expect(await readRows(database)).toEqual(before)
  expect(await packStatistics(later)).toEqual({ days: [day] })
  expect(await readRows(database)).toEqual(before)
})

test('waits for the roll-up and for rounds that are not evaluated', async () => {
  const { at, addDay, rollUpDay, addRound } = await open()
  const day = '2026-11-19'
  await addDay(day, () => 3600)
  const later = at(hoursAfter(day, 4))
  expect(await packStatistics(later)).toBeNull()
  await rollUpDay(day)
  await addRound(new Date(spanOf(day).to - 30_000).toISOString(), {})
  expect(await packStatistics(later)).toBeNull()
})

test('leaves a day unpacked that has a probe of a clock that was hours off', async () => {
  const { database, at, ids, addDay, rollUpDay } = await open()
  const day = '2026-11-19'
  await addDay(day, () => 3600)
  const round_at = new Date(spanOf(day).from + 7 * minuteMs)
  const [web_id = 0] = ids
  await database.db
    .insert(statistics)
    .values({ web_id, round_at, created_at: new Date(hoursAfter(day, -19)), outcome: 'up' })
  await rollUpDay(day)
  const before = await readRows(database, sql`${statistics}`)
  for (const hours of [4, 5]) expect(await packStatistics(at(hoursAfter(day, hours)))).toBeNull()
  expect(await readRows(database)).toEqual(before)
})

test('drops packed days after 14 days, and keeps probes of a packed day whose clock was set back', async () => {
  const { database, at, ids, addDay, rollUpDay, addRound } = await open()
  const day = '2026-11-19'
  await addDay(day, () => 3600)
  await rollUpDay(day)
  const before = await readRows(database, sql`${statistics}`)
  expect(await packStatistics(at(hoursAfter(day, 4)))).toEqual({ days: [day] })

  const [web = 0] = ids
  await addRound(new Date(spanOf(day).from + 7 * minuteMs).toISOString(), { [web]: 'up' })
  expect(await readRows(database)).toHaveLength(before.length + 1)
  expect(await packStatistics(at(hoursAfter(day, 5)))).toBeNull()

  expect(await purgeStatistics(at(hoursAfter(day, 13 * 24)))).toBeNull()
  expect(await purgeStatistics(at(hoursAfter(day, 15 * 24)))).toEqual({ days: [day] })
  expect(await partitionDays(database.db)).toEqual([])
  const { rows } = await database.owner.pool.query(
    `select relname from pg_class where relname ~ 'statistics_2026' and relkind = 'r'`,
  )
  expect(rows).toEqual([])
})

test('reads one web by the indexes of both tables', async () => {
  const { database, at, addDay, rollUpDay } = await open()
  await addDay('2026-11-19', () => 300)
  await rollUpDay('2026-11-19')
  await packStatistics(at(hoursAfter('2026-11-19', 4)))
  await database.owner.pool.query('analyze')
  await database.owner.pool.query('set enable_seqscan = off')
  const { rows } = await database.owner.pool.query<{ 'QUERY PLAN': string }>(
    `explain select * from statistics_between('2026-11-19T05:00Z', '2026-11-21T05:00Z') where web_id = 1`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('packed_statistics_2026_11_19_web_id_hour_at_idx')
  expect(plan).not.toContain('Function Scan on statistics_between')
})
