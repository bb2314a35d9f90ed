import type { Transaction } from '@kustos/database/client'
import { plannedDowntimes } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'

/**
 * Stores which part of the incidents was planned, up to the round that has just been evaluated. Later rounds extend it; what a
 * window or a web changes afterwards does not, so the past stays as it was.
 * @param ended ids of the incidents that the round has ended
 */
export async function recordPlannedDowntime(
  tx: Transaction,
  round: { readonly at: Date; readonly intervalMs: number },
  ended: readonly number[],
): Promise<void> {
  // The round before is read again, since a window may have been ended within it.
  const since = sql`${new Date(round.at.getTime() - round.intervalMs).toISOString()}::timestamptz`
  const isRecent = sql`(i.ended_at is null or i.id = any(${sql.param(ended)}::int[]))`
  await tx.execute(sql`
    insert into ${plannedDowntimes} (incident_id, occurrence_id, started_at, ended_at)
    select * from (
      select distinct i.id, m.occurrence_id, greatest(m.starts_at, i.started_at, ${since}) as started_at,
        least(m.ends_at, coalesce(i.ended_at, i.watched_until)) as ended_at
      from incidents i join web_maintenance m on m.web_id = i.web_id
      where ${isRecent} and m.planned_until > ${since}
    ) planned
    where started_at < ended_at
    on conflict (incident_id, occurrence_id) do update set ended_at = excluded.ended_at`)
}

type PlannedTime = typeof plannedDowntimes.$inferSelect

/** Reads the parts of incidents that were planned; those of two windows may overlap. */
export async function readPlannedDowntimes(
  db: Transaction,
  incidents: readonly { readonly id: number }[],
): Promise<(incident: { readonly id: number }) => readonly PlannedTime[]> {
  const ids = incidents.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db.select().from(plannedDowntimes).where(isAnyOf(plannedDowntimes.incident_id, ids))
  const planned = Map.groupBy(rows, (row) => row.incident_id)
  return ({ id }) => planned.get(id) ?? []
}
