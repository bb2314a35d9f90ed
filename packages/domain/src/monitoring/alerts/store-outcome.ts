import type { Transaction } from '@kustos/database/client'
import { alerts } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { recordFailure, recordSuccess } from '../../alert-channels/index.ts'
import type { Context } from '../../platform/context.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { type Alert, isSummary, isToSend } from './delivery-stream.ts'
import { writeFallback } from './fallback.ts'
import type { Outcome } from './outcome.ts'
import type { AlertSettings } from './tools.ts'

/**
 * Stores what became of an alert, and of its channel. Does nothing if it has been stored before, so that it may be repeated.
 * @param name of the channel
 * @param done further alerts that the channel has heard of by the same
 * @returns the ids of alerts for the fallback channel, to be enqueued after the commit
 */
export function storeOutcome(
  context: Context,
  settings: AlertSettings,
  alert: Alert,
  outcome: Outcome,
  { name, done }: { readonly name: string; readonly done: readonly number[] },
): Promise<readonly number[]> {
  const { id, content, attempts, incidents } = alert
  const { url: _, ...withoutUrl } = content
  return context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    const now = context.now()
    const isCounted = outcome.state !== 'retry' || !outcome.isRateLimited
    const { rowCount } = await db
      .update(alerts)
      .set({
        attempts: attempts + (isCounted ? 1 : 0),
        ...(content.isUrlSecret && outcome.state !== 'retry' && { content: withoutUrl }),
        error: outcome.state === 'sent' ? null : outcome.error,
        ...(outcome.state === 'sent' && { sent_at: now }),
        ...(outcome.state === 'failed' && { failed_at: now }),
      })
      .where(and(eq(alerts.id, id), isToSend))
    if (rowCount === 0) return []
    if (outcome.state === 'sent' && done.length > 1)
      await db
        .update(alerts)
        .set({ sent_at: now })
        .where(and(isAnyOf(alerts.id, done), isToSend))
    if (isSummary(alert) && outcome.state !== 'retry') await storeCovered(db, id, outcome, now)
    // Mails about accounts say nothing about a channel of alerts.
    if (incidents === null) return []
    if (outcome.state === 'sent') await recordSuccess(db, alert, now)
    else if (isCounted)
      await recordFailure(db, alert, { error: outcome.error, isRefused: outcome.state === 'failed' }, now)
    if (outcome.state !== 'failed') return []
    return await writeFallback(db, alert, { name, error: outcome.error }, settings, now)
  })
}

/** What a summary stands for ends as it does: what the channel has not taken was not sent. */
async function storeCovered(
  db: Transaction,
  summary: number,
  outcome: Exclude<Outcome, { readonly state: 'retry' }>,
  now: Date,
): Promise<void> {
  await db
    .update(alerts)
    .set(
      outcome.state === 'sent' ? { sent_at: now } : { sent_at: null, failed_at: now, error: outcome.error },
    )
    .where(eq(alerts.summary_id, summary))
}
