import type { Transaction } from '@kustos/database/client'
import { type AlertContent, type AlertEvent, alerts, leases } from '@kustos/database/tables'
import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { lockInTransaction } from '../../platform/locks.ts'
import { composeSummary } from './compose-summary.ts'
import { type Alert, isSummary, isWaitingIn, readAlert, summaries } from './delivery-stream.ts'

/** A channel that was down for this long, or that more alerts than this wait for, sends one message about what it missed. */
const longOutageMs = 10 * 60_000
const maxReplayed = 20

export type Plan =
  /** It is sent as it is. */
  | { readonly kind: 'send'; readonly alert: Alert }
  /** It is part of a summary, which has a job of its own. */
  | { readonly kind: 'summarized'; readonly summary: number }
  /** It was sent or given up meanwhile. */
  | { readonly kind: 'none' }

/**
 * Decides what to send instead of an alert that is next in its stream: after a long outage one summary of everything that waits
 * there. Each attempt to send a summary adds what has come since, so that a channel gets one however long it was down. It is as old
 * as the newest alert in it, so that none is given up before its time.
 * @param holder the name of the lease that this process holds
 */
export async function planDelivery(
  context: Context,
  id: number,
  {
    name,
    holder,
    publicUrl,
  }: { readonly name: string; readonly holder: string; readonly publicUrl: string | null },
): Promise<Plan> {
  const now = context.now()
  return await context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    const alert = await readAlert(tx, id)
    if (alert === undefined) return { kind: 'none' }
    if (!(await isDue(tx, alert, now))) return { kind: 'send', alert }
    await lockInTransaction(tx, 'alert-summaries')
    const own = isSummary(alert) ? alert : await findSummary(tx, alert)
    const summary = own ?? (await insertSummary(tx, alert))
    await cover(tx, summary, holder, now)
    const content = await composeSummary(tx, summary.id, { name, publicUrl, now })
    const [written] = await tx.update(alerts).set(content).where(eq(alerts.id, summary.id)).returning()
    if (written !== undefined && written.id === id) return { kind: 'send', alert: written }
    return { kind: 'summarized', summary: summary.id }
  })
}

/** Whether an alert is one of many that wait after an outage. Mails to users about their accounts are sent one by one. */
async function isDue(tx: Transaction, alert: Alert, now: Date): Promise<boolean> {
  if (alert.incidents === null) return false
  if (isSummary(alert)) return true
  const isOld = now.getTime() - alert.created_at.getTime() > longOutageMs
  if (!isOld && alert.attempts === 0) return false
  const waiting = await tx
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(isWaitingIn(alert), isNotNull(alerts.incidents)))
    .limit(maxReplayed + 1)
  return isOld ? waiting.length > 1 : waiting.length > maxReplayed
}

async function findSummary(tx: Transaction, alert: Alert): Promise<Alert | undefined> {
  const [found] = await tx
    .select()
    .from(alerts)
    .where(and(isWaitingIn(alert), summaries))
    .orderBy(asc(alerts.id))
    .limit(1)
  return found
}

async function insertSummary(tx: Transaction, { channel, recipient, channel_id, created_at }: Alert) {
  const content: AlertContent = { title: '', lines: [] }
  const event: AlertEvent = { type: 'summary', severity: 'info', incidents: [] }
  const [row] = await tx
    .insert(alerts)
    .values({ channel, recipient, channel_id, created_at, content, event, incidents: [] })
    .returning()
  if (!row) throw new Error('The summary was not inserted')
  return row
}

/** Lets everything that waits in its stream be part of a summary, except what another process is just sending. */
async function cover(tx: Transaction, summary: Alert, holder: string, now: Date): Promise<void> {
  const isBeingSent = sql`exists (select 1 from ${leases} where ${leases.name} = 'alert ' || ${alerts.id}
    and ${leases.expires_at} > clock_timestamp() and ${leases.name} <> ${holder})`
  await tx
    .update(alerts)
    .set({ sent_at: now, summary_id: summary.id })
    .where(
      and(
        isWaitingIn(summary),
        isNotNull(alerts.incidents),
        ne(alerts.id, summary.id),
        sql`not ${isBeingSent}`,
      ),
    )
}
