import { englishMessages } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { domainMoves } from '@kustos/database/tables'
import { eq, notInArray, sql } from 'drizzle-orm'
import { isHandledAt } from '../platform/handling-state.ts'
import { watchedWebIds } from './monitored-webs.ts'
import type { Round } from './round.ts'
import { roundGraceMs } from './settings.ts'

interface Move {
  readonly at: Date
  /** The address that the domain had here. */
  readonly from: string
  /** Its addresses; null if it has none. */
  readonly to: string | null
}

/** Locks the move of a web's domain, if there is one, which comes before the lock of the web, as where rounds are evaluated. */
export async function lockDomainMove(db: Transaction, web: number): Promise<void> {
  await db
    .select({ web: domainMoves.web_id })
    .from(domainMoves)
    .where(eq(domainMoves.web_id, web))
    .for('update')
}

/** Notes that a web's domain has moved away. Its incident begins with the next evaluation of a round. */
export async function noteDomainMoved(db: Transaction, web: number, { at, from, to }: Move): Promise<void> {
  const move = { moved_at: at, moved_from: from, moved_to: to, returned_at: null }
  await db
    .insert(domainMoves)
    .values({ web_id: web, ...move })
    .onConflictDoUpdate({ target: domainMoves.web_id, set: move })
}

/** Notes that a web's domain points here again. Its incident ends with the next evaluation of a round. */
export async function noteDomainReturned(db: Transaction, web: number, at: Date): Promise<void> {
  await db.update(domainMoves).set({ returned_at: at }).where(eq(domainMoves.web_id, web))
}

/**
 * Opens, continues and ends the incidents of webs whose domain has moved away. Such an incident replaces one that is open, stays
 * acknowledged, snoozed or assigned if that was, and lasts until the domain points back or the web is no longer to be monitored.
 * @returns the ids of those whose domain points back
 */
export async function applyDomainMoves(
  tx: Transaction,
  { intervalMs }: Round,
  internalMarker: string,
  now: Date,
): Promise<readonly number[]> {
  // Of a web that is not to be monitored, the time in which it is away begins when it is again.
  await tx
    .update(domainMoves)
    .set({ moved_at: now })
    .where(notInArray(domainMoves.web_id, watchedWebIds(tx, internalMarker)))
  const { rows: returned } = await tx.execute<{ id: number }>(sql`
    update incidents i set ended_at = greatest(i.started_at, m.returned_at)
    from domain_moves m
    where m.web_id = i.web_id and m.returned_at is not null and i.kind = 'moved' and i.ended_at is null
    returning i.id`)
  // The incident of one that has returned since that statement ends with the next round.
  await tx.execute(sql`
    delete from domain_moves m where m.returned_at is not null and not exists (
      select from incidents i where i.web_id = m.web_id and i.kind = 'moved' and i.ended_at is null)`)
  await openMoved(tx, internalMarker, now)
  await continueMoved(tx, new Date(now.getTime() - 2 * (intervalMs + roundGraceMs)), now)
  return returned.map(({ id }) => id)
}

async function openMoved(tx: Transaction, internalMarker: string, now: Date): Promise<void> {
  // It may have returned since the statements before. The domain of an unmonitored web is looked up once a night only, so it may
  // have returned, too.
  const isAway = sql`m.returned_at is null and m.web_id in ${watchedWebIds(tx, internalMarker)} and not exists (
    select from web_facts f where f.web_id = m.web_id and f.fact = 'dns' and f.seen_at < m.moved_at - interval '1 minute')`
  const { rows: replaced } = await tx.execute<{ id: number }>(sql`
    update incidents i
    set ended_at = greatest(i.started_at, least(coalesce(i.calm_since, i.watched_until), m.moved_at))
    from domain_moves m
    where m.web_id = i.web_id and i.kind <> 'moved' and i.ended_at is null and ${isAway}
    returning i.id`)
  await tx.execute(sql`
    insert into incidents (web_id, kind, started_at, last_failed_at, watched_until, reason, reason_code, reason_params)
    select m.web_id, 'moved', m.moved_at, m.moved_at, ${now.toISOString()},
      replace(replace(case when m.moved_to is null then ${englishMessages.domain_gone}
        else ${englishMessages.domain_moved} end, '{{from}}', m.moved_from), '{{to}}', coalesce(m.moved_to, '')),
      case when m.moved_to is null then 'domain_gone' else 'domain_moved' end,
      jsonb_strip_nulls(jsonb_build_object('from', m.moved_from, 'to', m.moved_to))
    from domain_moves m
    where not exists (select from incidents i where i.web_id = m.web_id and i.ended_at is null) and ${isAway}
    order by m.web_id
    on conflict do nothing`)
  if (replaced.length > 0)
    await inherit(
      tx,
      replaced.map(({ id }) => id),
      now,
    )
}

/**
 * Recipients of the alert about an outage also get its end if it turns out that the domain has moved. The move itself is not announced
 * if somebody has acknowledged or snoozed the outage.
 */
async function inherit(tx: Transaction, replaced: readonly number[], now: Date): Promise<void> {
  const old = sql`
    incidents old join incidents i on i.web_id = old.web_id and i.kind = 'moved' and i.ended_at is null
    left join attention_handling h on h.kind = 'web_down' and h.subject_id = old.web_id and h.since = old.started_at
      and ${isHandledAt(now)}`
  const isReplaced = sql`old.id = any(${sql.param([...replaced])}::int[])`
  await tx.execute(sql`
    insert into alert_escalations (incident_id, route_id, route_name, replaces_channels, steps, done, due_at, channel_ids,
      user_ids, started_at)
    select i.id, e.route_id, e.route_name, e.replaces_channels, e.steps, e.done, e.due_at, e.channel_ids, e.user_ids, e.started_at
    from ${old} join alert_escalations e on e.incident_id = old.id where ${isReplaced}
    on conflict do nothing`)
  await tx.execute(sql`
    update incidents i set alerted_at = given.alerted_at, reminded_at = given.reminded_at, alerted_kind = given.alerted_kind
    from (
      select i.id, old.alerted_at, old.reminded_at,
        case when old.alerted_at is not null and h.subject_id is null then coalesce(old.alerted_kind, old.kind) end
          as alerted_kind
      from ${old} where ${isReplaced}
    ) given
    where i.id = given.id`)
  await tx.execute(sql`
    update channel_incidents announced set incident_id = i.id, key = coalesce(announced.key, 'kustos-incident-' || old.id)
    from ${old} where ${isReplaced} and announced.incident_id = old.id`)
  await tx.execute(sql`
    insert into attention_handling (kind, subject_id, since, action, acknowledged_by, acknowledged_at, assigned_to, snoozed_by,
      snoozed_until, note, updated_by, updated_at)
    select known.kind, known.subject_id, i.started_at, known.action, known.acknowledged_by, known.acknowledged_at,
      known.assigned_to, known.snoozed_by, known.snoozed_until, known.note, known.updated_by, known.updated_at
    from ${old} join attention_handling known
      on known.kind = 'web_down' and known.subject_id = old.web_id and known.since = old.started_at
    where ${isReplaced}
    on conflict do nothing`)
}

/** Where a domain points to is known while rounds are evaluated. @param lastSeen times before it are not monitored */
async function continueMoved(tx: Transaction, lastSeen: Date, now: Date): Promise<void> {
  const open = sql`kind = 'moved' and ended_at is null`
  await tx.execute(sql`
    insert into incident_gaps (incident_id, started_at, ended_at)
    select id, watched_until, ${now.toISOString()} from incidents
    where ${open} and watched_until < ${lastSeen.toISOString()}
    on conflict do nothing`)
  await tx.execute(sql`
    update incidents set watched_until = greatest(watched_until, ${now.toISOString()}),
      last_failed_at = greatest(last_failed_at, ${now.toISOString()})
    where ${open}`)
}
