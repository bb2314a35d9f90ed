import type { Transaction } from '@kustos/database/client'
import { incidents, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import { calmMs } from './flapping.ts'
import { monitoredWebs, watchedWebIds } from './monitored-webs.ts'
import type { Round } from './round.ts'

/**
 * Ends the incidents of webs that answer again. That of a flapping web ends when it has answered for an hour, and then
 * at the beginning of that hour. Rounds are evaluated in order, so a success comes after the failure even if the clock
 * was set back.
 * @returns their ids
 */
export async function endAnswered(tx: Transaction, { at }: Round): Promise<readonly number[]> {
  const { rows } = await tx.execute<{ id: number; ended: boolean }>(sql`
    update incidents i set
      calm_since = case when i.kind = 'flapping' then coalesce(i.calm_since, s.answered_at) end,
      ended_at = case
        when i.kind <> 'flapping' then s.answered_at
        when s.answered_at >= i.calm_since + ${calmMs} * interval '1 millisecond' then i.calm_since
      end
    from (
      select open.id, greatest(open.started_at, probe.created_at) as answered_at
      from incidents open join statistics probe on probe.web_id = open.web_id
      where open.ended_at is null and open.kind <> 'moved' and probe.round_at = ${at.toISOString()}
        and probe.outcome in ('up', 'degraded')
        -- An incident that a later round has opened already is not ended by this one.
        and not exists (
          select from probe_rounds later join statistics failed on failed.round_at = later.round_at
          where later.judged_at is null and later.round_at > ${at.toISOString()}
            and failed.web_id = open.web_id and failed.outcome = 'down'
        )
    ) s
    where i.id = s.id and (i.kind <> 'flapping' or i.calm_since is null
      or s.answered_at >= i.calm_since + ${calmMs} * interval '1 millisecond')
    returning i.id, i.ended_at is not null as ended`)
  return rows.flatMap(({ id, ended }) => (ended ? [id] : []))
}

/**
 * Ends the incidents of webs that are not monitored any more, with the last round that saw them. A web whose domain has moved
 * away is monitored until somebody ends that.
 * @returns their ids
 */
export async function endUnmonitored(tx: Transaction, internalMarker: string): Promise<readonly number[]> {
  const monitored = tx.select({ id: webs.id }).from(webs).where(monitoredWebs(internalMarker))
  const seenUntil = sql`coalesce(${incidents.calm_since}, ${incidents.watched_until})`
  const ended = await tx
    .update(incidents)
    .set({ ended_at: sql`greatest(${incidents.started_at}, least(${seenUntil}, now()))` })
    .where(
      and(
        isNull(incidents.ended_at),
        // An outage, which ends with its members.
        isNotNull(incidents.web_id),
        or(
          and(ne(incidents.kind, 'moved'), notInArray(incidents.web_id, monitored)),
          and(eq(incidents.kind, 'moved'), notInArray(incidents.web_id, watchedWebIds(tx, internalMarker))),
        ),
      ),
    )
    .returning({ id: incidents.id })
  return ended.map(({ id }) => id)
}
