import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import { deadMs } from './flapping.ts'
import { endOf, type Round } from './round.ts'

/** Extends the incidents of webs that failed in the round. That of a flapping web which no longer answers becomes one of a web that is down. */
export async function continueIncidents(tx: Transaction, round: Round): Promise<void> {
  const at = round.at.toISOString()
  // While a web is down, a failure needs no second probe.
  await tx.execute(sql`
    update statistics s set outcome = 'down' from incidents i
    where s.round_at = ${at} and s.outcome = 'unconfirmed' and i.web_id = s.web_id
      and i.ended_at is null and i.calm_since is null and i.kind <> 'moved'`)
  await writeGaps(tx, round)
  await tx.execute(sql`
    update incidents i set last_failed_at = greatest(i.last_failed_at, s.created_at),
      watched_until = greatest(i.watched_until, ${endOf(round)}::timestamptz, s.created_at),
      calm_since = null
    from statistics s
    where s.round_at = ${at} and s.outcome = 'down' and i.web_id = s.web_id and i.ended_at is null and i.kind <> 'moved'
      and (i.calm_since is null or s.created_at > i.calm_since)`)
  await tx.execute(sql`
    update incidents i set kind = 'down', alerted_kind = case when alerted_at is not null then kind end
    where i.kind = 'flapping' and i.ended_at is null and i.calm_since is null
      and i.last_failed_at >= ${deadMs} * interval '1 millisecond' + greatest(i.started_at,
        (select max(g.ended_at) from incident_gaps g where g.incident_id = i.id))`)
}

/**
 * Two kinds of time do not count as downtime: that from a web's last failure to its next probe if the rounds between
 * have no result of it, and that in which a flapping web answered.
 */
async function writeGaps(tx: Transaction, { at }: Round): Promise<void> {
  await tx.execute(sql`
    insert into incident_gaps (incident_id, started_at, ended_at, has_answered)
    select i.id, coalesce(i.calm_since, i.watched_until), s.created_at, i.calm_since is not null
    from incidents i join statistics s on s.web_id = i.web_id and s.round_at = ${at.toISOString()}
    where i.ended_at is null and i.kind <> 'moved' and case
      when i.calm_since is null then s.outcome in ('up', 'degraded', 'down') and s.round_at > i.watched_until
      else s.outcome = 'down' and s.created_at > i.calm_since
    end
    on conflict do nothing`)
}
