import type { AlertChannel } from '@kustos/contract/alert-channels'
import { alertChannelStates, alertChannels, alerts } from '@kustos/database/tables'
import { asc, eq, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { isInUse } from './former-channel.ts'
import { openSecrets } from './secrets.ts'

type Channel = typeof alertChannels.$inferSelect
type State = typeof alertChannelStates.$inferSelect

/**
 * The alerts that wait for a channel; instead of a summary those that it stands for. Those of the configuration are named by their
 * kind, as before there were channels.
 */
const waiting = sql<number>`(
  select coalesce(sum(case when a.event ->> 'type' = 'summary' and a.content ->> 'isFallback' is null
    then (select count(*) from ${alerts} covered where covered.summary_id = a.id) else 1 end), 0)::int
  from ${alerts} a
  where a.sent_at is null and a.failed_at is null and case when ${alertChannels.origin} = 'configuration'
    then a.channel = ${alertChannels.kind} and a.incidents is not null
    else a.channel = 'channel' and a.channel_id = ${alertChannels.id} end)`

/** All channels, ordered by name. */
export async function listAlertChannels({ db }: Pick<Context, 'db'>): Promise<AlertChannel[]> {
  const rows = await db
    .select({ channel: alertChannels, state: alertChannelStates, waiting })
    .from(alertChannels)
    .leftJoin(alertChannelStates, eq(alertChannelStates.channel_id, alertChannels.id))
    .where(isInUse)
    .orderBy(asc(alertChannels.name))
  return rows.map((row) => presentChannel(row.channel, row.state, row.waiting))
}

/** The names of those whose secrets were sealed with a key that is no longer configured: nothing can be sent to them. */
export async function listUnreadableChannels(db: Context['db'], box: SecretBox | null): Promise<string[]> {
  const rows = await db.select().from(alertChannels).where(isInUse).orderBy(asc(alertChannels.name))
  return rows.filter((row) => openSecrets(box, row) === null).map(({ name }) => name)
}

const presentChannel = (channel: Channel, state: State | null, count: number): AlertChannel => ({
  id: channel.id,
  name: channel.name,
  kind: channel.kind,
  origin: channel.origin,
  address: channel.settings.address ?? null,
  chat: channel.settings.chat ?? null,
  host: channel.settings.host ?? null,
  default_for: channel.default_for,
  fallback: channel.fallback,
  state: stateOf(channel, state),
  last_sent_at: state?.last_sent_at?.toISOString() ?? null,
  last_failed_at: state?.last_failed_at?.toISOString() ?? null,
  error: state?.error ?? null,
  waiting: count,
  created_at: channel.created_at.toISOString(),
  updated_at: channel.updated_at.toISOString(),
})

function stateOf({ missing_since }: Channel, state: State | null): AlertChannel['state'] {
  if (missing_since !== null) return 'missing'
  if (state === null) return 'unused'
  if (state.refusing_since !== null) return 'refusing'
  return state.error === null ? 'ok' : 'failing'
}
