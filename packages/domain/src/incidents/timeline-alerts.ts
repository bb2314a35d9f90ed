import type { IncidentTimelineEntry } from '@kustos/contract/incidents'
import type { Transaction } from '@kustos/database/client'
import { alertChannels, alerts } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

type AlertEntry = Extract<IncidentTimelineEntry, { readonly kind: 'alert' }>

/**
 * The alerts about incidents, one entry for all recipients of a channel, with its name if users have added it. What a summary stands
 * for is sent once that one is. They are kept for 90 days.
 */
export async function readAlerts(db: Transaction, incidents: readonly number[]): Promise<AlertEntry[]> {
  const { rows } = await db.execute<{ alert: Omit<AlertEntry, 'kind'> }>(sql`
    select json_build_object(
      'at', coalesce(min(sent_at), min(about.created_at)),
      'channel', case when channel_id is null then channel else min(stored.name) end,
      'channel_id', channel_id, 'title', title, 'recipients', count(*), 'state', state) as alert
    from (
      select a.channel, a.channel_id, a.content ->> 'title' as title, a.created_at,
        case when waiting.id is null then a.sent_at end as sent_at,
        case when waiting.id is not null then 'waiting' when a.sent_at is not null then 'sent'
          when a.failed_at is null then 'waiting' else 'failed' end as state
      from ${alerts} a
      left join ${alerts} waiting
        on waiting.id = a.summary_id and waiting.sent_at is null and waiting.failed_at is null
      where a.incidents && ${sql.param([...incidents])}::int[]
    ) about left join ${alertChannels} stored on stored.id = about.channel_id
    group by channel, channel_id, title, about.created_at, state
    order by about.created_at limit 500`)
  return rows.map(({ alert }) => ({ kind: 'alert', ...alert }))
}
