import { batches, batchTargets } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { AuditTransaction } from '../platform/audit.ts'
import { storedMessage } from '../platform/stored-message.ts'

/**
 * Gives a web that failed in a batch the success of its deployment, which somebody has retried individually. An ended batch without
 * a failed web has succeeded.
 */
export async function storeLateSuccess(
  { db, now }: AuditTransaction,
  { id, batch_id: batch }: { readonly id: number; readonly batch_id: number },
): Promise<void> {
  const isFailed = and(eq(batchTargets.batch_id, batch), eq(batchTargets.state, 'failed'))
  const ofDeployment = and(isFailed, eq(batchTargets.deployment_id, id))
  if ((await db.$count(batchTargets, ofDeployment)) === 0) return
  // The row of a batch is locked before its targets.
  const [locked] = await db
    .select({ state: batches.state })
    .from(batches)
    .where(eq(batches.id, batch))
    .for('update')
  await db
    .update(batchTargets)
    .set({ state: 'succeeded', ended_at: now(), ...storedMessage('error', null) })
    .where(ofDeployment)
  const hasSucceeded = locked?.state === 'failed' && (await db.$count(batchTargets, isFailed)) === 0
  await db
    .update(batches)
    .set({ updated_at: now(), ...(hasSucceeded && { state: 'succeeded' }) })
    .where(eq(batches.id, batch))
}
