import { asBatchNodeAction, type BatchAction } from '@kustos/contract/batches'
import { message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { batches } from '@kustos/database/tables'
import { asc, eq } from 'drizzle-orm'
import { auditInTransaction } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { cancelWaiting } from './cancel-waiting.ts'

/**
 * Lets the batches of deployments that were running in a restored backup start no more webs: what they have started since is
 * unknown. Workers then end them. Other batches go on, since they only change what is as in the backup, or only read.
 * @param db the transaction of the restore
 * @returns how many webs are not started
 */
export const stopBatchesAfterRestore = (
  context: Omit<Context, 'database' | 'db'>,
  db: Transaction,
): Promise<number> =>
  auditInTransaction(context, db, async (tx) => {
    const running = await tx.db
      .select({ id: batches.id, action: batches.action })
      .from(batches)
      .where(eq(batches.state, 'running'))
      .orderBy(asc(batches.id))
    let stopped = 0
    for (const { id, action } of running) {
      if (asBatchNodeAction(action as BatchAction) === null) continue
      const webs = await cancelWaiting(tx, id, message('batch_ended_by_restore'))
      if (webs === 0) continue
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
