import type { Transaction } from '@kustos/database/client'
import { alertChannelStates, alertChannels } from '@kustos/database/tables'
import { and, eq, sql } from 'drizzle-orm'

/** What an alert is sent to, as the outbox names it. */
export interface Target {
  readonly channel: string
  readonly channel_id: number | null
  readonly recipient: string | null
}

const channelOf = ({ channel, channel_id }: Target) =>
  channel === 'channel'
    ? eq(alertChannels.id, channel_id ?? 0)
    : and(eq(alertChannels.origin, 'configuration'), sql`${alertChannels.kind} = ${channel}`)

/** The row of a target; undefined if it was deleted, or if the configuration's was not stored yet. */
export async function findChannel(db: Transaction, target: Target) {
  const [row] = await db
    .select({ channel: alertChannels, state: alertChannelStates })
    .from(alertChannels)
    .leftJoin(alertChannelStates, eq(alertChannelStates.channel_id, alertChannels.id))
    .where(channelOf(target))
  return row
}

/** A success is stored once in this time, as long as nothing else changes. */
const precisionMs = 10_000

/** Stores that a channel has accepted a message. */
export async function recordSuccess(db: Transaction, target: Target, now: Date): Promise<void> {
  const found = await findChannel(db, target)
  if (found === undefined) return
  const { channel, state } = found
  const endsRefusal = state?.refusing_since != null && (state.refused_recipient ?? null) === target.recipient
  const isKnown =
    state?.last_sent_at != null &&
    now.getTime() - state.last_sent_at.getTime() < precisionMs &&
    state.error === null &&
    !endsRefusal
  if (isKnown) return
  const values = {
    last_sent_at: now,
    error: null,
    ...(endsRefusal && { refusing_since: null, refused_recipient: null }),
  }
  await upsert(db, channel.id, values)
}

/** Stores that a channel has not accepted a message. @param isRefused whether it never will */
export async function recordFailure(
  db: Transaction,
  target: Target,
  { error, isRefused }: { readonly error: string; readonly isRefused: boolean },
  now: Date,
): Promise<void> {
  const found = await findChannel(db, target)
  if (found === undefined) return
  await upsert(db, found.channel.id, {
    last_failed_at: now,
    error,
    ...(isRefused && {
      refusing_since: found.state?.refusing_since ?? now,
      refused_recipient: target.recipient,
    }),
  })
}

async function upsert(
  db: Transaction,
  id: number,
  values: Partial<typeof alertChannelStates.$inferInsert>,
): Promise<void> {
  await db
    .insert(alertChannelStates)
    .values({ channel_id: id, ...values })
    .onConflictDoUpdate({ target: alertChannelStates.channel_id, set: values })
}
