import type { Transaction } from '@kustos/database/client'
import { attentionHandling, incidents, nodes, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { minWebsOfOutage } from './outage.ts'

/** Nodes that share an address fail together. */
const hostOf = (node: string): SQL => sql.raw(`coalesce(nullif(${node}.address, ''), ${node}.id::text)`)

/**
 * Makes the open incidents of webs that went down together members of one incident, the outage of their node. Has to be called in
 * the transaction that opens and ends incidents, after both; calling it again changes nothing.
 * @param round whose probes show how many webs of the node were probed and how many of them failed
 */
export async function updateOutages(
  tx: Transaction,
  { at, intervalMs }: { readonly at: Date; readonly intervalMs: number },
): Promise<void> {
  await openOutages(tx, at, intervalMs)
  await joinOutages(tx)
  await endOutages(tx)
}

/**
 * Opens one where at least three webs went down in the round, and at least half of those that were probed there since the first
 * of them. It begins with the first web of this round or the one before: a host can die amid a round.
 */
async function openOutages(tx: Transaction, at: Date, intervalMs: number): Promise<void> {
  const round = sql`${at.toISOString()}::timestamptz`
  const before = sql`${new Date(at.getTime() - intervalMs).toISOString()}::timestamptz`
  await tx.execute(sql`
    with alone as (
      select i.*, w.node_id as on_node, ${hostOf('n')} as host
      from ${incidents} i join ${webs} w on w.id = i.web_id join ${nodes} n on n.id = w.node_id
      where i.ended_at is null and i.outage_id is null and i.started_at >= ${before}
    ), fallen as (
      select host, min(started_at) as since from alone
      where started_at >= ${round} group by host having count(*) >= ${minWebsOfOutage}
    ), failed as (
      select fallen.host from fallen
      join ${nodes} n on ${hostOf('n')} = fallen.host
      join ${webs} w on w.node_id = n.id
      join statistics s on s.web_id = w.id and s.round_at = ${round} and s.created_at >= fallen.since
      where s.outcome <> 'unknown'
        and not exists (
          select from ${incidents} o join ${nodes} on_host on on_host.id = o.node_id
          where o.web_id is null and o.ended_at is null and ${hostOf('on_host')} = fallen.host)
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
 * Web after web joins as long as the outage of its node lasts. What all others share holds for them, too: who has acknowledged
 * the outage and who has it.
 */
async function joinOutages(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    with joined as (
      update ${incidents} i set outage_id = o.id
      from ${webs} w, ${nodes} n, ${incidents} o, ${nodes} on_host
      where i.ended_at is null and i.outage_id is null and w.id = i.web_id and n.id = w.node_id
        and o.web_id is null and o.ended_at is null and on_host.id = o.node_id
        and ${hostOf('on_host')} = ${hostOf('n')} and i.started_at >= o.started_at
      returning i.web_id, i.started_at, i.outage_id
    ), others as (
      select m.outage_id, bool_and(h.acknowledged_at is not null) as is_acknowledged,
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
    insert into ${attentionHandling} (kind, subject_id, since, acknowledged_by, acknowledged_at, assigned_to, note,
      action, updated_by, updated_at)
    select 'web_down', joined.web_id, joined.started_at,
      case when is_acknowledged then acknowledged_by end, case when is_acknowledged then acknowledged_at end,
      assigned_to, note, case when is_acknowledged then 'acknowledged' else 'assigned' end,
      case when is_acknowledged then acknowledged_by end, updated_at
    from joined join others using (outage_id)
    where is_acknowledged or assigned_to is not null
    on conflict do nothing`)
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
