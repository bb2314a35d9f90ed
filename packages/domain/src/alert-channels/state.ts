import type { Transaction } from '@kustos/database/client'
import { alertChannelStates, alertChannels, alerts } from '@kustos/database/tables'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { isInUse } from './former-channel.ts'

/** What an alert is sent to, as the outbox names it. */
export interface Target {
  readonly channel: string
  readonly channel_id: number | null
  readonly recipient: string | null
}

const channelOf = ({ channel, channel_id }: Target) =>
  channel === 'channel'
    ? and(eq(alertChannels.id, channel_id ?? 0), isInUse)
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

/** Whether another mailbox than the target refuses messages. The reason stays until that mailbox accepts one. */
const isRefusedByOther = (state: typeof alertChannelStates.$inferSelect | null, { recipient }: Target) =>
  state !== null &&
  state.refusing_since !== null &&
  state.refused_recipient?.toLowerCase() !== recipient?.toLowerCase()

/** A success is stored once in this time, as long as nothing else changes. */
const precisionMs = 10_000

/** Stores that a channel has accepted a message. */
export async function recordSuccess(db: Transaction, target: Target, now: Date): Promise<void> {
  const found = await findChannel(db, target)
  if (found === undefined) return
  const { channel, state } = found
  const refusing = state?.refusing_since ?? null
  const isOther = isRefusedByOther(state, target)
  const isKnown =
    state?.last_sent_at != null &&
    now.getTime() - state.last_sent_at.getTime() < precisionMs &&
    (isOther || (state.error === null && refusing === null))
  if (isKnown) return
  const values = {
    last_sent_at: now,
    ...(!isOther && { error: null }),
    ...(!isOther && refusing !== null && (await readOtherRefusal(db, target, refusing))),
  }
  await upsert(db, channel.id, values)
}

/**
 * Reads what to store once a mailbox no longer refuses messages. Only one refusing mailbox is stored for each channel; the next one
 * whose last alert was refused takes its place.
 * @param since when the first one began to refuse
 */
export async function readOtherRefusal(
  db: Transaction,
  { channel, recipient }: Target,
  since: Date,
): Promise<Pick<typeof alertChannelStates.$inferSelect, 'refusing_since' | 'refused_recipient' | 'error'>> {
  const mailbox = sql`lower(${alerts.recipient})`
  const [other] = await db
    .select({
      refusing_since: alerts.failed_at,
      refused_recipient: alerts.recipient,
      error: alerts.error,
    })
    .from(alerts)
    .where(
      and(
        eq(alerts.channel, channel),
        isNotNull(alerts.incidents),
        sql`${mailbox} <> lower(${recipient})`,
        gt(alerts.failed_at, since),
        sql`not exists (
          select from ${alerts} later
          where later.channel = ${channel} and lower(later.recipient) = ${mailbox} and later.id > ${alerts.id}
            and later.incidents is not null and (later.sent_at is not null or later.failed_at is not null))`,
      ),
    )
    .orderBy(alerts.failed_at)
    .limit(1)
  return other ?? { refusing_since: null, refused_recipient: null, error: null }
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
    ...(!isRefusedByOther(found.state, target) && { error }),
    ...(isRefused && {
      refusing_since: found.state?.refusing_since ?? now,
      // The first one stays until it accepts a message.
      refused_recipient: found.state?.refusing_since ? found.state.refused_recipient : target.recipient,
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
