import type { Message } from '@kustos/contract/messages'
import { batches, batchTargets } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { AuditTransaction } from '../platform/audit.ts'
import { storedMessage } from '../platform/stored-message.ts'

/** Lets a batch start no more webs, and stores the reason with each of them. @returns how many are not started */
export async function cancelWaiting(tx: AuditTransaction, batch: number, reason: Message): Promise<number> {
  const now = tx.now()
  const { rowCount } = await tx.db
    .update(batchTargets)
    .set({ state: 'cancelled', ended_at: now, ...storedMessage('error', reason) })
    .where(and(eq(batchTargets.batch_id, batch), eq(batchTargets.state, 'waiting')))
  if (!rowCount) return 0
  await tx.db.update(batches).set({ updated_at: now }).where(eq(batches.id, batch))
  return rowCount
}
