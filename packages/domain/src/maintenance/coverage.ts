import type { Transaction } from '@kustos/database/client'
import { type SQL, sql } from 'drizzle-orm'

/** What is in maintenance at a time: rows `m` of the view, which decides it for all features. */
export const runningAt = (at: Date): SQL => {
  const time = sql`${at.toISOString()}::timestamptz`
  // Asked first, so that the webs of windows are read only while one runs.
  const oneRuns = sql`exists (select from maintenance_occurrences o where o.starts_at <= ${time} and o.ends_at > ${time})`
  return sql`web_maintenance m where m.starts_at <= ${time} and m.planned_until > ${time} and m.ends_at > ${time} and ${oneRuns}`
}

/** Whether a web is in maintenance at a time. @param web the SQL of its id */
export const isInMaintenance = (web: SQL, at: Date): SQL =>
  sql`exists (select from ${runningAt(at)} and m.web_id = ${web})`

/** The query of a table `web_id`, `until` of the webs that are in maintenance at a time. */
export const maintenanceEnds = (at: Date): SQL =>
  sql`select m.web_id, max(m.ends_at) as until from ${runningAt(at)} group by m.web_id`

/** Whether a scope covers one of these webs. @param scope the SQL of its id @param webs the SQL of their ids */
export const scopeCovers = (scope: SQL, webs: SQL): SQL =>
  sql`${scope} in (select c.scope_id from maintenance_coverage c where c.web_id = any(array(${webs})))`

/** @param among a query of ids @returns until when webs are in maintenance that are so at a time, by their ids */
export async function readWebsInMaintenance(
  db: Transaction,
  at: Date,
  web?: number,
  among?: SQL,
): Promise<ReadonlyMap<number, Date>> {
  const { rows } = await db.execute<{ web_id: number; until: string }>(sql`
    select m.web_id, max(m.ends_at) as until from ${runningAt(at)}
    ${web === undefined ? sql`` : sql`and m.web_id = ${web}`}
    ${among === undefined ? sql`` : sql`and m.web_id in (${among})`} group by m.web_id`)
  return new Map(rows.map(({ web_id, until }) => [web_id, new Date(until)]))
}
