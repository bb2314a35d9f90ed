import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import { monitoredWebs } from './monitored-webs.ts'
import type { Round } from './round.ts'

/**
 * Opens, continues and ends the times in which webs are degraded, by what the round saw. While a web is down, they last: it is
 * not known to be well.
 * @returns the ids of those that the round has ended
 */
export async function updateDegradations(
  tx: Transaction,
  { at }: Round,
  internalMarker: string,
): Promise<readonly number[]> {
  const round = at.toISOString()
  const { rows } = await tx.execute<{ id: number }>(sql`
    update degradations d set ended_at = greatest(d.started_at, s.created_at) from statistics s
    where d.ended_at is null and s.round_at = ${round} and s.web_id = d.web_id and s.outcome = 'up'
    returning d.id`)
  await tx.execute(sql`
    update degradations d set ended_at = greatest(d.started_at, ${round}::timestamptz)
    where d.ended_at is null and not exists (
      select from webs where webs.id = d.web_id and ${monitoredWebs(internalMarker)})`)
  await tx.execute(sql`
    insert into degradations (web_id, started_at, status, reason, reason_code, reason_params)
    select s.web_id, s.created_at, s.status, s.reason, s.reason_code, s.reason_params
    from statistics s join webs on webs.id = s.web_id and ${monitoredWebs(internalMarker)}
    where s.round_at = ${round} and s.outcome = 'degraded'
    order by s.web_id
    on conflict (web_id) where ended_at is null do update
    set status = excluded.status, reason = excluded.reason, reason_code = excluded.reason_code,
      reason_params = excluded.reason_params
    where degradations.reason is distinct from excluded.reason`)
  return rows.map(({ id }) => id)
}
