import type { Transaction } from '@kustos/database/client'
import { attentionHandling, incidents, nodes, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { isAcknowledgedAt, isSnoozedAt } from '../platform/handling-state.ts'
import { hostOf, minWebsOfOutage } from './outage.ts'
import type { Round } from './round.ts'

/**
 * Makes the open incidents of webs that went down together members of one incident, the outage of their node. Has to be called in
 * the transaction that opens and ends incidents, after both; calling it again changes nothing.
 * @param round whose probes show how many webs of the node were probed and how many of them failed
 */
export async function updateOutages(tx: Transaction, round: Round): Promise<void> {
  await openOutages(tx, round)
  await joinOutages(tx, round)
  await endOutages(tx)
}

const timeOf = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

/** For so many rounds after the last web of an outage went down, others join it. */
const joiningRounds = 5

/**
 * The outages, each as `o` with the node `on_host`, that go on: a web of theirs has just gone down, or those that still fail are enough
 * for an outage. Without that, a single web that stays down would take in whatever fails on its node for weeks.
 */
function outagesThatGoOn({ at, intervalMs }: Round): SQL {
  const since = timeOf(new Date(at.getTime() - joiningRounds * intervalMs))
  const failing = sql`count(m.id) filter (where s.outcome = 'down')`
  return sql`
    from ${incidents} o join ${nodes} on_host on on_host.id = o.node_id
    where o.web_id is null and o.ended_at is null and (
      o.started_at >= ${since}
      or exists (select from ${incidents} m where m.outage_id = o.id and m.started_at >= ${since})
      or exists (
        select from ${nodes} n
        join ${webs} w on w.node_id = n.id
        join statistics s on s.web_id = w.id and s.round_at = ${timeOf(at)} and s.outcome <> 'unknown'
        left join ${incidents} m on m.outage_id = o.id and m.web_id = w.id and m.ended_at is null
        where ${hostOf('n')} = ${hostOf('on_host')}
        having ${failing} >= ${minWebsOfOutage} and ${failing} * 2 >= count(*)))`
}

/**
 * Opens one where at least three webs went down in the round, and at least half of those that were probed there since the first
 * of them. It begins with the first web of this round or the one before: a host can die amid a round.
 */
async function openOutages(tx: Transaction, round: Round): Promise<void> {
  const at = timeOf(round.at)
  const before = timeOf(new Date(round.at.getTime() - round.intervalMs))
  await tx.execute(sql`
    with alone as (
      select i.*, w.node_id as on_node, ${hostOf('n')} as host
      from ${incidents} i join ${webs} w on w.id = i.web_id join ${nodes} n on n.id = w.node_id
      where i.ended_at is null and i.outage_id is null and i.kind <> 'moved' and i.started_at >= ${before}
    ), fallen as (
      select host, min(started_at) as since from alone
      where started_at >= ${at} group by host having count(*) >= ${minWebsOfOutage}
    ), failed as (
      select fallen.host from fallen
      join ${nodes} n on ${hostOf('n')} = fallen.host
      join ${webs} w on w.node_id = n.id
      join statistics s on s.web_id = w.id and s.round_at = ${at} and s.created_at >= fallen.since
      where s.outcome <> 'unknown'
        and not exists (select ${outagesThatGoOn(round)} and ${hostOf('on_host')} = fallen.host)
      group by fallen.host
      having count(*) filter (where s.outcome = 'down') * 2 >= count(*)
    ), opened as (
      select host, mode() within group (order by on_node) as node, min(started_at) as since,
        max(last_failed_at) as failed_at, max(watched_until) as watched_until,
        (array_agg(id order by started_at, id))[1] as first
      from alone where host in (select host from failed) group by host
    )
    insert into ${incidents} (node_id, started_at, last_failed_at, watched_until, status, reason, reason_code, reason_params)
    select opened.node, opened.since, opened.failed_at, opened.watched_until, first.status, first.reason,
      first.reason_code, first.reason_params
    from opened join ${incidents} first on first.id = opened.first`)
}

/**
 * Web after web joins as long as the outage of its node goes on. What all others share holds for them, too: who has acknowledged or
 * snoozed the outage and who has it, instead of the user on call to whom a route has given the web before. That a domain has moved
 * away is no fault of the node.
 */
async function joinOutages(tx: Transaction, round: Round): Promise<void> {
  await tx.execute(sql`
    with latest as (
      select distinct on (${hostOf('on_host')}) o.id, o.started_at, ${hostOf('on_host')} as host
      ${outagesThatGoOn(round)}
      order by ${hostOf('on_host')}, o.started_at desc, o.id desc
    ), joined as (
      update ${incidents} i set outage_id = latest.id
      from ${webs} w, ${nodes} n, latest
      where i.ended_at is null and i.outage_id is null and i.kind <> 'moved' and w.id = i.web_id and n.id = w.node_id
        and latest.host = ${hostOf('n')} and i.started_at >= latest.started_at
      returning i.web_id, i.started_at, i.outage_id
    ), others as (
      select m.outage_id, bool_and(${isAcknowledgedAt(round.at)}) as is_acknowledged,
        case when bool_and(${isSnoozedAt(round.at)}) then min(h.snoozed_until) end as snoozed_until,
        (array_agg(h.snoozed_by order by h.snoozed_until))[1] as snoozed_by,
        max(h.acknowledged_at) as acknowledged_at,
        (array_agg(h.acknowledged_by order by h.acknowledged_at desc nulls last))[1] as acknowledged_by,
        case when count(distinct h.assigned_to) = 1 and count(h.assigned_to) = count(*) then min(h.assigned_to) end
          as assigned_to,
        (array_agg(h.note order by h.updated_at desc nulls last))[1] as note,
        max(h.updated_at) as updated_at
      from ${incidents} m
      left join ${attentionHandling} h
        on h.kind = 'web_down' and h.subject_id = m.web_id and h.since = m.started_at
      where m.outage_id in (select outage_id from joined) and m.ended_at is null
      group by m.outage_id
    )
    insert into ${attentionHandling} as h (kind, subject_id, since, acknowledged_by, acknowledged_at,
      snoozed_by, snoozed_until, assigned_to, note, action, updated_by, updated_at)
    select 'web_down', joined.web_id, joined.started_at,
      case when is_acknowledged then acknowledged_by end, case when is_acknowledged then acknowledged_at end,
      case when snoozed_until is not null then snoozed_by end, snoozed_until, assigned_to, note,
      case when snoozed_until is not null then 'snoozed' when is_acknowledged then 'acknowledged' else 'assigned' end,
      case when snoozed_until is not null then snoozed_by when is_acknowledged then acknowledged_by end, updated_at
    from joined join others using (outage_id)
    where is_acknowledged or snoozed_until is not null or assigned_to is not null
    order by joined.web_id
    on conflict (kind, subject_id, since) do update
      set acknowledged_by = excluded.acknowledged_by, acknowledged_at = excluded.acknowledged_at,
        snoozed_by = excluded.snoozed_by, snoozed_until = excluded.snoozed_until,
        assigned_to = excluded.assigned_to, note = coalesce(h.note, excluded.note), action = excluded.action,
        updated_by = excluded.updated_by,
        updated_at = greatest(excluded.updated_at, h.updated_at + interval '1 ms')
      where h.acknowledged_at is null and h.updated_by is null and h.action = 'assigned'`)
}

/** An outage ends with its last member. */
async function endOutages(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    update ${incidents} o
    set ended_at = last.ended_at, last_failed_at = last.failed_at, watched_until = last.watched_until
    from (
      select m.outage_id, max(m.ended_at) as ended_at, max(m.last_failed_at) as failed_at,
        max(m.watched_until) as watched_until
      from ${incidents} m
      where m.outage_id in (select id from ${incidents} where web_id is null and ended_at is null)
      group by m.outage_id having bool_and(m.ended_at is not null)
    ) last
    where o.id = last.outage_id`)
}
