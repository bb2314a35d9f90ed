import { asBatchNodeAction, type BatchAction, batchAccessOf } from '@kustos/contract/batches'
import { checkEdits } from '@kustos/contract/checks'
import { type Message, message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { isTransient, type Transaction } from '@kustos/database/client'
import { batches, batchTargets } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { applyCheckEdits, revertCheck } from '../checks/index.ts'
import { enqueueDeployment, insertAction, rejectDuplicate } from '../deployment/index.ts'
import {
  enqueueInspections,
  type InspectionTools,
  insertInspection,
  requestEntry,
} from '../inspections/index.ts'
import { endMaintenanceInTransaction } from '../maintenance/index.ts'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, DomainError, forbidden, toError } from '../platform/errors.ts'
import { unexpectedFailure } from '../platform/jobs.ts'
import { LeaseLostError } from '../platform/lease.ts'
import { parseLogged } from '../platform/logged-change.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { findUserWithPermissionsInTransaction, lockPermissionsOf } from '../users/index.ts'
import {
  applyEdits,
  deleteWebInTransaction,
  rejectTakenFqdn,
  restoreWebInTransaction,
  revertWeb,
} from '../webs/index.ts'
import { readChanges } from './revert.ts'
import type { BatchTools } from './tools.ts'

export type BatchRow = typeof batches.$inferSelect

/** How a target has been started, and what to do once that is committed. */
interface Started {
  readonly columns: Partial<typeof batchTargets.$inferInsert>
  readonly enqueue?: () => Promise<void>
}

/**
 * Runs the action of a batch on one of its webs, or requests it, in one transaction with the state of the target: a worker
 * that dies has done both or neither. What the action refuses is stored as the reason why the web was skipped. An unexpected error
 * fails the web, which would otherwise hold up its batch and all others.
 */
export async function startTarget(
  context: Context,
  tools: BatchTools,
  batch: BatchRow,
  target: { readonly position: number; readonly web_id: number },
): Promise<void> {
  const acting = actAs(context, batch)
  const isIt = and(eq(batchTargets.batch_id, batch.id), eq(batchTargets.position, target.position))
  const inTransaction = (work: (tx: AuditTransaction) => Promise<Started>) =>
    withAudit(acting, async (tx) => {
      await tx.db.select({ id: batches.id }).from(batches).where(eq(batches.id, batch.id)).for('update')
      const [current] = await tx.db.select({ state: batchTargets.state }).from(batchTargets).where(isIt)
      // Cancelled meanwhile.
      if (current?.state !== 'waiting') {
        tx.skipAudit()
        return null
      }
      const started = await work(tx)
      await tx.db
        .update(batchTargets)
        .set({ started_at: tx.now(), ...started.columns })
        .where(isIt)
      await tx.db.update(batches).set({ updated_at: tx.now() }).where(eq(batches.id, batch.id))
      return started
    })
  try {
    const started = await rejectTakenFqdn(() =>
      rejectDuplicate(() => inTransaction((tx) => runAction(tx, tools, batch, target.web_id))),
    )
    await started?.enqueue?.()
  } catch (error) {
    if (error instanceof DomainError) return endTarget(context, batch.id, isIt, 'skipped', error.codedMessage)
    if (error instanceof LeaseLostError || isTransient(error)) throw error
    tools.onError(toError(error))
    await endTarget(context, batch.id, isIt, 'failed', unexpectedFailure(undefined, `batch-${batch.id}`))
  }
}

/** The context of the user who requested the batch or retried it last, with the permissions as of each transaction. */
function actAs(context: Context, { id, action, requested_by, retried_by }: BatchRow): Context {
  const access = batchAccessOf(action as BatchAction)
  return {
    ...context,
    cause: { batch: id },
    async readActor(db: Transaction) {
      const user = await findUserWithPermissionsInTransaction({ db }, retried_by ?? requested_by)
      if (user === null || !can(user, access)) throw forbidden('batch_not_permitted')
      return user
    },
    lockActorPermissions: (db, user) => lockPermissionsOf({ db }, user),
  }
}

async function runAction(
  tx: AuditTransaction,
  tools: BatchTools,
  { id, action: name, edits, check, reverts_batch: reverted }: BatchRow,
  webId: number,
): Promise<Started> {
  const action = name as BatchAction
  const nodeAction = asBatchNodeAction(action)
  if (nodeAction !== null) {
    const job = await insertAction(tx, tools, nodeAction, { id: webId, batch: id })
    return {
      columns: { state: 'running', deployment_id: job.deployment },
      enqueue: () => enqueueDeployment({}, tools, job, { isNewId: true }),
    }
  }
  if (action === 'refresh' || action === 'audit')
    return requestInspection(tx, tools, action === 'refresh' ? 'refresh' : 'tracking', webId)
  const isChanged =
    reverted === null
      ? await applyChanges(tx, action, webId, { edits, check })
      : await revertChanges(tx, action, webId, reverted)
  const ended = { ended_at: tx.now() }
  return {
    columns: isChanged
      ? { state: 'succeeded', ...ended }
      : { state: 'skipped', ...ended, ...storedMessage('error', message('web_unchanged')) },
  }
}

/** @returns false if nothing changes */
async function applyChanges(
  tx: AuditTransaction,
  action: BatchAction,
  webId: number,
  { edits, check }: Pick<BatchRow, 'edits' | 'check'>,
): Promise<boolean> {
  if (action === 'changeCheck') return applyCheckEdits(tx, webId, check ?? {})
  if (action === 'edit') return applyEdits(tx, webId, edits ?? {})
  if (action === 'endMaintenance') await endMaintenanceInTransaction(tx, webId)
  if (action === 'delete') await deleteWebInTransaction(tx, webId)
  if (action === 'restore') await restoreWebInTransaction(tx, webId)
  return true
}

/** Takes back what a batch has changed in a web or its check. */
async function revertChanges(
  tx: AuditTransaction,
  action: BatchAction,
  webId: number,
  batch: number,
): Promise<true> {
  const made = (await readChanges(tx.db, batch, [webId])).get(webId)
  if (!made) throw conflict('change_not_revertible')
  tx.takesBack(made.id)
  if (action === 'changeCheck') await revertCheck(tx, { web: webId }, parseLogged(checkEdits, made.old), made)
  else await revertWeb(tx, webId, made)
  return true
}

async function requestInspection(
  tx: AuditTransaction,
  tools: InspectionTools,
  kind: 'refresh' | 'tracking',
  webId: number,
): Promise<Started> {
  const { id, inserted } = await insertInspection(tx, kind, webId)
  // One was under way and has just ended: the target waits for the next wave.
  if (id === undefined) return { columns: { started_at: null } }
  // One is under way for somebody else: the log still says what the batch has done about this web.
  if (inserted === null) await tx.record(requestEntry(kind, 'web', webId, id))
  return {
    columns: { state: 'running', inspection_id: id },
    enqueue: () => enqueueInspections(tools, inserted === null ? [] : [inserted]),
  }
}

/** Ends a target that was not started. */
const endTarget = (
  { db, now, assertLease }: Context,
  batch: number,
  isIt: ReturnType<typeof and>,
  state: 'skipped' | 'failed',
  reason: Message,
): Promise<void> =>
  db.transaction(async (tx) => {
    await assertLease?.(tx)
    await tx.update(batches).set({ updated_at: now() }).where(eq(batches.id, batch))
    await tx
      .update(batchTargets)
      .set({ state, ended_at: now(), ...storedMessage('error', reason) })
      .where(and(isIt, eq(batchTargets.state, 'waiting')))
  })
