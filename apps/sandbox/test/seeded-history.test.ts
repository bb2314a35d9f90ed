import { isUp } from '@kustos/contract/monitoring'
import { incidents, rolledUpDays, uptimeDays, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { dayAfter, dayOf, daysFrom, listUptime, monitoredWebs, spanOf } from '@kustos/domain/monitoring'
import { asc, eq, isNull, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { flapping } from '../src/seed/behaviours.ts'
import { seed } from '../src/seed/index.ts'

describe.each([
  // Each of the two periods contains a day that is not 24 hours long.
  { name: 'autumn', now: new Date('2026-11-21T14:32:10Z'), clockChange: '2026-10-25', checks: 1500 },
  { name: 'spring', now: new Date('2026-04-11T22:04:00Z'), clockChange: '2026-03-29', checks: 1380 },
])('the history as of $name', async ({ now, clockChange, checks }) => {
  const { owner: database } = await testDatabase()
  const today = dayOf(now)

  beforeAll(async () => void (await seed(database.db, { webs: 70, now })))

  const listMonitored = () => database.db.select().from(webs).where(monitoredWebs('')).orderBy(asc(webs.id))
  const listDays = () => database.db.select().from(uptimeDays)
  const readUptime = (web: number) =>
    listUptime(
      { db: database.db, now: () => now, actor: null },
      {
        web,
        begin: dayAfter(today, -200),
        end: today,
      },
    )

  test('has six months of days for monitored webs only', async () => {
    const rows = await listDays()
    const ids = new Set(rows.map((row) => row.web_id))
    const monitored = (await listMonitored()).filter(({ id }) => id <= 60)
    expect([...ids].sort()).toEqual(monitored.map(({ id }) => id).sort())
    expect(ids.size).toBeGreaterThan(35)
    const expected = daysFrom(dayAfter(today, -182), dayAfter(today, -1))
    expect([...new Set(rows.map(({ day }) => day))].sort()).toEqual(expected)
    const rolledUp = await database.db.select().from(rolledUpDays).orderBy(asc(rolledUpDays.day))
    expect(rolledUp.map(({ day }) => day)).toEqual(expected)
    expect(rows.filter(({ day }) => day === clockChange).map((row) => row.checks)).toContain(checks)
  })

  test('is consistent', async () => {
    for (const row of await listDays()) {
      const { from, to } = spanOf(row.day)
      const length = (to - from) / 1000
      expect(row.known).toBeLessThanOrEqual(length)
      expect(row.downtime).toBeGreaterThanOrEqual(0)
      expect(row.downtime).toBeLessThanOrEqual(row.known)
      expect(row.failures).toBeLessThanOrEqual(row.checks)
      // A failure counts as a minute of downtime, except around midnight.
      expect(Math.abs(row.downtime - row.failures * 60)).toBeLessThanOrEqual(120)
      expect(row.response_ms === null).toBe(row.failures === row.checks)
      expect(row.response_p95_ms ?? 0).toBeGreaterThanOrEqual(row.response_ms ?? 0)
    }
  })

  test('has the same downtime in days and incidents', async () => {
    const { rows } = await database.db.execute<{ web_id: number; seconds: number }>(sql`
      select i.web_id, round(sum(extract(epoch from coalesce(i.ended_at, i.watched_until) - i.started_at)
        - coalesce((select sum(extract(epoch from g.ended_at - g.started_at)) from incident_gaps g
          where g.incident_id = i.id), 0)))::int as seconds
      from incidents i group by 1`)
    const expected = new Map(rows.map(({ web_id, seconds }) => [web_id, seconds]))
    for (const { id } of (await listMonitored()).filter((web) => web.id <= 60)) {
      const seconds = (await readUptime(id)).reduce((sum, day) => sum + day.downtime, 0)
      expect(Math.abs(seconds - (expected.get(id) ?? 0)), `web ${id}`).toBeLessThanOrEqual(5)
    }
  })

  test('has incidents across midnight, incidents with gaps and incidents of a whole node', async () => {
    const all = await database.db.select().from(incidents).orderBy(asc(incidents.id))
    const across = all.filter(({ started_at, last_failed_at }) => dayOf(started_at) < dayOf(last_failed_at))
    expect(across.length).toBeGreaterThan(3)
    const { rows: gaps } = await database.db.execute(sql`select from incident_gaps`)
    expect(gaps.length).toBeGreaterThan(0)
    const byTime = Map.groupBy(all, ({ started_at }) => Math.floor(started_at.getTime() / 120_000))
    expect(Math.max(...[...byTime.values()].map((group) => group.length))).toBeGreaterThan(5)
    const starts = all.map(({ started_at }) => started_at.getTime())
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const outages = all.filter(({ web_id }) => web_id === null)
    expect(outages).toHaveLength(3)
    for (const outage of outages) {
      const members = all.filter(({ outage_id }) => outage_id === outage.id)
      expect(members.length).toBeGreaterThanOrEqual(3)
      expect(outage.node_id).not.toBeNull()
      expect(outage.started_at.getTime()).toBe(Math.min(...members.map((one) => one.started_at.getTime())))
      expect(outage.ended_at?.getTime()).toBe(Math.max(...members.map((one) => Number(one.ended_at))))
    }
  })

  test('has an open incident exactly for the webs that are down', async () => {
    const open = await database.db.select().from(incidents).where(isNull(incidents.ended_at))
    const down = new Map(open.map((incident) => [incident.web_id, incident]))
    for (const web of (await listMonitored()).filter(({ id }) => id <= 60)) {
      const incident = down.get(web.id)
      expect(web.down_since, web.fqdn).toEqual(incident?.started_at ?? null)
      expect(isUp(web.http_status_code), web.fqdn).toBe(incident === undefined)
      if (incident) expect(incident.status).toBe(web.http_status_code)
    }
    expect(open.length).toBeGreaterThanOrEqual(7)
    expect(open.length).toBeLessThanOrEqual(10)
    const { rows } = await database.db.execute(sql`select from incidents where alerted_at is null`)
    expect(rows).toEqual([])
  })

  test('has an incident for every recent cycle of the flapping web', async () => {
    const [web] = await database.db
      .select()
      .from(webs)
      .where(eq(webs.fqdn, 'www.skischule-sextnerdolomiten.test'))
    const all = await database.db
      .select()
      .from(incidents)
      .where(eq(incidents.web_id, web?.id ?? 0))
      .orderBy(asc(incidents.started_at))
    const cycles = all.slice(-30).map(({ started_at }) => started_at.getTime())
    for (const [i, at] of cycles.entries())
      if (i > 0) expect(at - (cycles[i - 1] ?? 0)).toBe(flapping.cycleMs)
  })

  test('has all probes since midnight and none of earlier days', async () => {
    const { from } = spanOf(today)
    const until = Math.floor(now.getTime() / 60_000) * 60_000
    const { rows } = await database.db.execute<{
      web_id: number
      probes: number
      first: string
      last: string
    }>(sql`
      select web_id, count(*)::int as probes, min(round_at)::text as first, max(round_at)::text as last
      from statistics group by 1`)
    expect(rows.length).toBe((await listMonitored()).filter(({ id }) => id <= 60).length)
    for (const { probes, first, last } of rows) {
      expect(probes).toBe((until - from) / 60_000)
      expect(Date.parse(first)).toBe(from)
      expect(Date.parse(last)).toBe(until - 60_000)
    }
    const wrong = await database.db.execute(sql`
      select from statistics s left join incidents i
        on i.web_id = s.web_id and s.created_at >= i.started_at and s.created_at < coalesce(i.ended_at, 'infinity')
      where (s.outcome = 'down') <> (i.id is not null)`)
    expect(wrong.rows).toEqual([])
  })

  test('has days without a gap, including today', async () => {
    const [web] = await database.db
      .select()
      .from(webs)
      .where(eq(webs.fqdn, 'www.alpenhof-latemar.test'))
      .limit(1)
    const uptime = await readUptime(web?.id ?? 0)
    expect(uptime.at(-1)?.date).toBe(today)
    for (const day of uptime) expect(day.uptime, day.date).not.toBeNull()
  })

  test('is not seeded again at the next start', async () => {
    const countRows = async () => {
      const { rows } = await database.db.execute(sql`
        select obj_description('uptime_days'::regclass) as comment,
          (select count(*)::int from uptime_days) as days, (select count(*)::int from incidents) as incidents,
          (select count(*)::int from statistics) as probes, (select count(*)::int from probe_rounds) as rounds`)
      return rows[0]
    }
    const before = await countRows()
    expect(before?.comment).toMatch(/seeded/)
    await seed(database.db, { webs: 80, now: new Date(now.getTime() + 24 * 3_600_000) })
    expect(await countRows()).toEqual(before)
  })
})
