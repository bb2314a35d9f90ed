import type { Transaction } from '@kustos/database/client'
import { alerts } from '@kustos/database/tables'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { AlertTarget } from './targets.ts'

export type Alert = typeof alerts.$inferSelect

// In parentheses, since it is negated, too.
export const isToSend = sql`(${alerts.sent_at} is null and ${alerts.failed_at} is null)`

/** The messages of one channel to one recipient that are still to be sent, which are sent in order. */
export const isWaitingIn = ({ channel, recipient, channel_id }: AlertTarget): SQL | undefined =>
  and(
    isToSend,
    eq(alerts.channel, channel),
    recipient === null ? isNull(alerts.recipient) : eq(alerts.recipient, recipient),
    channel_id === null ? isNull(alerts.channel_id) : eq(alerts.channel_id, channel_id),
  )

/** Whether an alert stands for others. Its copy for the fallback channel stands for itself. */
export const isSummary = ({ event, content }: Alert): boolean =>
  event?.type === 'summary' && content.isFallback !== true
export const summaries: SQL = sql`${alerts.event} ->> 'type' = 'summary' and ${alerts.content} ->> 'isFallback' is null`

/** The oldest messages of a stream that are still to be sent. */
export const findNextAlerts = (
  db: Transaction,
  stream: AlertTarget,
  limit: number,
): Promise<readonly { readonly id: number; readonly attempts: number }[]> =>
  db
    .select({ id: alerts.id, attempts: alerts.attempts })
    .from(alerts)
    .where(isWaitingIn(stream))
    .orderBy(asc(alerts.id))
    .limit(limit)

export async function readAlert(db: Transaction, id: number): Promise<Alert | undefined> {
  const [row] = await db
    .select()
    .from(alerts)
    .where(and(eq(alerts.id, id), isToSend))
  return row
}
