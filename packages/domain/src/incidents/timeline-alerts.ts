import type { IncidentTimelineEntry } from '@kustos/contract/incidents'
import type { Transaction } from '@kustos/database/client'
import { alertChannels, alerts } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

type AlertEntry = Extract<IncidentTimelineEntry, { readonly kind: 'alert' }>

/**
 * The alerts about incidents, one entry for all recipients of a channel, with its name if users have added it. They are kept for
 * 90 days.
 */
export async function readAlerts(db: Transaction, incidents: readonly number[]): Promise<AlertEntry[]> {
  const { rows } = await db.execute<{ alert: Omit<AlertEntry, 'kind'> }>(sql`
    select json_build_object(
      'at', coalesce(min(sent_at), min(about.created_at)),
      'channel', case when channel_id is null then channel else min(stored.name) end,
      'channel_id', channel_id, 'title', title, 'recipients', count(*), 'state', state) as alert
    from (
      select channel, channel_id, content ->> 'title' as title, created_at, sent_at,
        case when sent_at is not null then 'sent' when failed_at is null then 'waiting' else 'failed' end as state
      from ${alerts} where incidents && ${sql.param([...incidents])}::int[]
    ) about left join ${alertChannels} stored on stored.id = about.channel_id
    group by channel, channel_id, title, about.created_at, state
    order by about.created_at limit 500`)
  return rows.map(({ alert }) => ({ kind: 'alert', ...alert }))
}
