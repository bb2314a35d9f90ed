import { alerts, certificateWarnings } from '@kustos/database/tables'
import { and, asc, lt, not } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { isToSend } from './delivery-stream.ts'
import { enqueueIfMissing } from './jobs.ts'
import type { AlertTools } from './tools.ts'

/** Looked at in one run: more would have been written by nothing less than a day of outages. */
const most = 1_000

/** Hands over alerts that have no job: where it could not be handed over, and what the job queue forgot. */
export async function sweepAlerts(
  { db }: Pick<Context, 'db'>,
  tools: Pick<AlertTools, 'queues'>,
): Promise<{ readonly handedOver: number } | null> {
  const waiting = await db
    .select({ id: alerts.id })
    .from(alerts)
    .where(isToSend)
    .orderBy(asc(alerts.id))
    .limit(most)
  let handedOver = 0
  for (const { id } of waiting) if (await enqueueIfMissing(tools, id)) handedOver += 1
  return handedOver === 0 ? null : { handedOver }
}

/** How long alerts are kept, and warnings after the end of their certificates. In days. */
const kept = 90

/** Removes what was told long ago. Not a change that anybody made, so the log keeps no entry of it. */
export async function purgeAlerts({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<{ readonly alerts: number } | null> {
  const before = new Date(now().getTime() - kept * 86_400_000)
  const { rowCount } = await db.delete(alerts).where(and(lt(alerts.created_at, before), not(isToSend)))
  await db.delete(certificateWarnings).where(lt(certificateWarnings.cert_expiration, before))
  return rowCount ? { alerts: rowCount } : null
}
