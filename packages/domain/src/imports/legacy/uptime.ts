import { type Legacy, type LegacyDay, LegacyError, type LegacyRows } from '@kustos/clients/legacy'
import { storableJson } from '@kustos/database/storable-text'
import { sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { type Day, dayAfter, dayOf, daysFrom, spanOf } from '../../monitoring/index.ts'
import { withAudit } from '../../platform/audit.ts'
import type { Run } from './import-rows.ts'
import { isSkippable } from './report.ts'
import type { ImportedWeb } from './webs.ts'

/** Webs that are requested at the same time. */
const concurrency = 4
/** Days in one request: the limit of Kustos, and that of the specification's screen. */
const maxWindowDays = 366
const fallbackWindowDays = 183
/** Requests for one web, which cover more than ten years. */
const maxRequests = 24
/** Days in one transaction. */
const maxDaysOfInsert = 20_000
/** Consecutive failures before the part is given up. */
const maxConsecutiveFailures = 20

interface UptimeRow extends Omit<LegacyDay, 'date' | 'unknown'> {
  readonly web_id: number
  readonly day: Day
  /** Monitored seconds. */
  readonly known: number
}

/** Days in one request, as far as the former system is known to accept them. */
interface RequestWindow {
  days: number
}

/**
 * Imports the days of each web up to yesterday. Days that Kustos has, or on which it has probed the web, stay unchanged.
 */
export async function importUptime(run: Run, legacy: Legacy, webs: readonly ImportedWeb[]): Promise<void> {
  const { report, context } = run
  const yesterday = dayAfter(dayOf(context.now()), -1)
  const window: RequestWindow = { days: maxWindowDays }
  const pending: UptimeRow[] = []
  let asked = 0
  let consecutiveFailures = 0
  /** Why the part was given up; the first one counts. */
  const ends: unknown[] = []

  const oneAtATime = pLimit(1)
  const flush = (minDays: number) =>
    oneAtATime(async () => {
      while (pending.length > 0 && pending.length >= minDays)
        await insertDays(run, pending.splice(0, maxDaysOfInsert))
    })

  async function importWeb(web: ImportedWeb): Promise<void> {
    if (ends.length > 0) return
    try {
      const days = await readDays(legacy, web, yesterday, window)
      consecutiveFailures = 0
      for (const sentence of days.wrong) report.problem('uptime', `${web.fqdn}: ${sentence}`)
      pending.push(...days.rows.map((day) => uptimeRow(web.id, day)))
    } catch (error) {
      if (
        !isSkippable(error) ||
        error.failure === 'refused' ||
        ++consecutiveFailures === maxConsecutiveFailures
      )
        ends.push(error)
      else report.problem('uptime', `${web.fqdn}: ${error.message}`)
    }
    if (++asked % 500 === 0) report.progress('uptime', `${asked} of ${webs.length} webs`)
    await flush(maxDaysOfInsert)
  }

  await pLimit(concurrency).map(webs, importWeb)
  // Stores the days that have arrived, web by web.
  await flush(1)
  const [end] = ends
  if (end === undefined) return
  if (!isSkippable(end)) throw end
  report.problem('uptime', `${end.message} The remaining days were skipped.`)
}

/**
 * Whether a day was monitored. The former system may list every day that it is asked for, but before a web was added it has only
 * measured what it says.
 */
const wasMonitored = ({ createdOn }: ImportedWeb, { date, downtime, checks, failures }: LegacyDay): boolean =>
  createdOn === null || date >= createdOn || downtime > 0 || (checks ?? 0) > 0 || (failures ?? 0) > 0

/** The monitored days of a web, read backwards while there are any. */
async function readDays(
  legacy: Legacy,
  web: ImportedWeb,
  yesterday: Day,
  window: RequestWindow,
): Promise<LegacyRows<LegacyDay>> {
  const found = new Map<Day, LegacyDay>()
  const wrong: string[] = []
  let end = yesterday
  for (let requests = 0; requests < maxRequests; ) {
    const { days: windowDays } = window
    const begin = dayAfter(end, 1 - windowDays)
    let answer: LegacyRows<LegacyDay>
    try {
      answer = await legacy.uptime(web.former, begin, end)
    } catch (error) {
      // It accepts shorter ranges only, like those of its own screen.
      if (!(error instanceof LegacyError) || error.failure !== 'invalid' || windowDays === fallbackWindowDays)
        throw error
      window.days = fallbackWindowDays
      continue
    }
    requests++
    wrong.push(...answer.wrong)
    const listed = answer.rows.filter(({ date }) => date >= begin && date <= end)
    const days = listed.filter((day) => wasMonitored(web, day))
    const before = found.size
    for (const day of days) {
      if (day.downtime <= secondsIn(day.date)) found.set(day.date, day)
      else wrong.push(`${day.date}: ${day.downtime} s of downtime are more than the day has.`)
    }
    if (days.length === 0) break
    const [first = end] = days.map(({ date }) => date).sort()
    // Before the first day the web was not monitored.
    const isComplete = days.length === listed.length && found.size - before === daysFrom(first, end).length
    if (first > begin && isComplete) break
    end = dayAfter(begin, -1)
  }
  return { rows: [...found.values()], wrong }
}

/** In seconds. */
const secondsIn = (day: Day) => (spanOf(day).to - spanOf(day).from) / 1000

/** Without the monitored seconds a day counts as monitored completely. */
const uptimeRow = (web: number, { date, unknown, ...day }: LegacyDay): UptimeRow => ({
  ...day,
  web_id: web,
  day: date,
  known: Math.max(day.downtime, secondsIn(date) - (unknown ?? 0)),
})

/** Inserts the missing days. */
function insertDays({ context, source, report }: Run, days: readonly UptimeRow[]): Promise<void> {
  const rows = days.map(({ day, ...row }) => {
    const { from, to } = spanOf(day)
    return { ...row, day, starts: new Date(from), ends: new Date(to) }
  })
  return withAudit(context, async (tx) => {
    const { rows: added } = await tx.db.execute<{ web_id: number }>(sql`
      insert into uptime_days (web_id, day, downtime, known, checks, failures, response_ms, response_p95_ms)
      select d.web_id, d.day, d.downtime, d.known, coalesce(d.checks, 0), coalesce(d.failures, 0),
        d.response_time_ms, d.response_time_p95_ms
      from json_to_recordset(${storableJson(rows)}) as d (web_id int, day date, downtime int, known int, checks int,
        failures int, response_time_ms int, response_time_p95_ms int, starts timestamptz, ends timestamptz)
      -- The limit keeps it a look into an index for each day.
      left join lateral (
        select true as is_ours from statistics_between(d.starts, d.ends) s where s.web_id = d.web_id limit 1
      ) o on true
      where o.is_ours is null
      on conflict do nothing
      returning web_id`)
    report.count('uptime', 'added', added.length)
    report.count('uptime', 'unchanged', rows.length - added.length)
    if (added.length === 0) return tx.skipAudit()
    const webs = new Set(added.map(({ web_id }) => web_id)).size
    await tx.record({
      log: 'imports',
      description: 'uptime imported',
      attributes: { source, webs, days: added.length },
    })
  })
}
