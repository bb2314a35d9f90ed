import type { ReportingChannel } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { alerts } from '@kustos/database/tables'
import { and, asc, eq, sql } from 'drizzle-orm'

export type Alert = typeof alerts.$inferSelect & { readonly channel: ReportingChannel }

/** The messages of one channel to one recipient. */
export type DeliveryStream = Pick<Alert, 'channel' | 'recipient'>

export const isToSend = sql`${alerts.sent_at} is null and ${alerts.failed_at} is null`

/** The oldest message of a stream that is still to be sent. */
export async function findNextAlert(
  db: Transaction,
  { channel, recipient }: DeliveryStream,
): Promise<{ readonly id: number; readonly attempts: number } | undefined> {
  const [head] = await db
    .select({ id: alerts.id, attempts: alerts.attempts })
    .from(alerts)
    .where(
      and(isToSend, eq(alerts.channel, channel), sql`${alerts.recipient} is not distinct from ${recipient}`),
    )
    .orderBy(asc(alerts.id))
    .limit(1)
  return head
}
