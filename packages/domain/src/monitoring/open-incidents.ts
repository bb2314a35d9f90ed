import { englishMessages } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { type SQL, sql } from 'drizzle-orm'
import { flappingAfter, flappingWithinMs } from './flapping.ts'
import { monitoredWebs } from './monitored-webs.ts'
import { endOf, type Round } from './round.ts'
import type { MonitoringSettings } from './settings.ts'

/**
 * Opens an incident for each monitored web whose failure in the round is confirmed and that has none. A web with
 * several of them within an hour, without those that were muted, gets one that lasts until it is calm.
 * @param which limits the webs; `s` are their statistics
 * @returns the ids of the incidents and their webs
 */
export async function openIncidents(
  tx: Transaction,
  round: Round,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
  which: SQL = sql`true`,
): Promise<readonly { readonly id: number; readonly web_id: number }[]> {
  const { rows } = await tx.execute<{ id: number; web_id: number }>(sql`
    insert into incidents (web_id, kind, started_at, last_failed_at, watched_until, status, reason, reason_code,
      reason_params)
    select s.web_id,
      case when (
        select count(*) from incidents earlier
        where earlier.web_id = s.web_id and earlier.kind <> 'moved' and earlier.alerted_at is not null
          and earlier.started_at > s.created_at - ${flappingWithinMs} * interval '1 millisecond'
      ) >= ${flappingAfter} then 'flapping' else 'down' end,
      s.created_at, s.created_at, greatest(${endOf(round)}::timestamptz, s.created_at), s.status,
      coalesce(s.reason, replace(${englishMessages.status_down}, '{{status}}', s.status::text)),
      case when s.reason is null then 'status_down' else s.reason_code end,
      case when s.reason is null then jsonb_build_object('status', s.status) else s.reason_params end
    from statistics s
    where s.round_at = ${round.at.toISOString()} and s.outcome = 'down' and ${which}
      and s.web_id in (select id from webs where ${monitoredWebs(internalMarker)})
      and not exists (select from incidents i where i.web_id = s.web_id and i.ended_at is null)
    order by s.web_id
    on conflict do nothing
    returning id, web_id`)
  return rows
}
