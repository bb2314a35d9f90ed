import { asBatchNodeAction, type BatchAction } from '@kustos/contract/batches'
import { message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { batches, batchTargets } from '@kustos/database/tables'
import { and, asc, eq } from 'drizzle-orm'
import { auditInTransaction } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { storedMessage } from '../platform/stored-message.ts'

/**
 * Lets the batches of deployments that were running in a restored backup start no more webs: what they have started since is
 * unknown. Workers then end them. Other batches only change what is as in the backup, or read again, so they go on.
 * @param db the transaction of the restore
 * @returns how many webs are not started
 */
export const stopBatchesAfterRestore = (
  context: Omit<Context, 'database' | 'db'>,
  db: Transaction,
): Promise<number> =>
  auditInTransaction(context, db, async (tx) => {
    const now = tx.now()
    const running = await tx.db
      .select({ id: batches.id, action: batches.action })
      .from(batches)
      .where(eq(batches.state, 'running'))
      .orderBy(asc(batches.id))
    let stopped = 0
    for (const { id, action } of running) {
      if (asBatchNodeAction(action as BatchAction) === null) continue
      const { rowCount } = await tx.db
        .update(batchTargets)
        .set({
          state: 'cancelled',
          ended_at: now,
          ...storedMessage('error', message('batch_ended_by_restore')),
        })
        .where(and(eq(batchTargets.batch_id, id), eq(batchTargets.state, 'waiting')))
      const webs = rowCount ?? 0
      if (webs === 0) continue
      await tx.db.update(batches).set({ updated_at: now }).where(eq(batches.id, id))
      await tx.record({
        log: 'batches',
        description: 'cancelled',
        subject: { type: 'batch', id },
        attributes: { action, webs },
      })
      stopped += webs
    }
    if (stopped === 0) tx.skipAudit()
    return stopped
  })
