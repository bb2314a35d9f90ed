import {
  type BatchAction,
  type BatchPreview,
  batchAccessOf,
  batchNeedsConfirmation,
  opposites,
  type ResolvedBatch,
} from '@kustos/contract/batches'
import { type Message, message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { batches, batchTargets, deployments } from '@kustos/database/tables'
import { and, eq, inArray } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import { chunk } from '../platform/chunk.ts'
import { type Context, requireActor, type Scope } from '../platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { readCode } from '../platform/merged-codes.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { lockTags } from '../tags/index.ts'
import { lockCategories } from '../webs/index.ts'
import { cancelWaiting } from './cancel-waiting.ts'
import { maySeeBatch } from './read.ts'
import { findRefusals, type SkippedWeb } from './refusals.ts'
import { findRetryable } from './retryable.ts'
import { findRevertRefusals } from './revert.ts'

const subjectOf = (id: number) => ({ type: 'batch', id })

/**
 * @throws DomainError forbidden without the permission of the action; invalid for a merged customer, an unknown tag, and a value of
 * another type
 */
export async function previewBatch(context: Context, request: ResolvedBatch): Promise<BatchPreview> {
  assertMayRun(context, request.action)
  const edits = await readEdits(context, request.edits)
  const { eligible, skipped } = await findRefusals(context, context.db, { ...request, edits })
  return presentPreview(eligible, skipped)
}

/**
 * Accepts a batch. Workers start its webs.
 * @returns its id
 * @throws DomainError forbidden without the permission of the action; unconfirmed; invalid for a merged customer, an unknown category
 * or tag, for a value of another type, or if the action applies to none of the webs
 */
export const createBatch = (context: Context, request: ResolvedBatch): Promise<number> =>
  withAudit(context, async (tx) => {
    const { action, check, parallel, stop_above } = request
    assertMayRun(tx, action)
    if (batchNeedsConfirmation(action)) await tx.assertConfirmed()
    const { add_categories = [], remove_categories = [] } = request.edits ?? {}
    await lockCategories(tx, [...add_categories, ...remove_categories], 'edits')
    const edits = await readEdits(tx, request.edits)
    const { eligible, skipped } = await findRefusals(tx, tx.db, { ...request, edits })
    const [first] = skipped
    if (eligible.length === 0 && first !== undefined)
      throw invalid({ webs: message('batch_nothing_to_do', { reason: first.reason }) })
    const id = await insertBatch(
      tx,
      { action, edits: edits ?? null, check: check ?? null, parallel, stop_above },
      eligible,
      skipped,
    )
    await tx.record({
      log: 'batches',
      description: 'created',
      subject: subjectOf(id),
      attributes: { action, webs: eligible.length, ...(edits && { edits }), ...(check && { check }) },
    })
    return id
  })

/** The edits with the customer and the tags that they add as they are stored. @throws DomainError invalid as `previewBatch` */
async function readEdits(scope: Pick<Scope, 'db'>, edits: ResolvedBatch['edits']) {
  const reject = (reason: Message) => invalid({ edits: reason })
  const customer = edits?.customer === undefined ? null : await readCode(scope.db, edits.customer)
  if (customer !== null && 'refusal' in customer) throw reject(customer.refusal)
  return (
    edits && {
      ...edits,
      ...(customer !== null && { customer: customer.code }),
      ...(edits.add_tags && { add_tags: await lockTags(scope, edits.add_tags, reject) }),
    }
  )
}

async function insertBatch(
  tx: AuditTransaction,
  row: Pick<
    typeof batches.$inferInsert,
    'action' | 'edits' | 'check' | 'reverts_batch' | 'parallel' | 'stop_above'
  >,
  eligible: readonly number[],
  skipped: readonly SkippedWeb[],
): Promise<number> {
  const now = tx.now()
  const [created] = await tx.db
    .insert(batches)
    .values({ ...row, requested_by: requireActor(tx).id, created_at: now, updated_at: now })
    .returning({ id: batches.id })
  if (!created) throw new Error('The batch was not inserted')
  const waiting = eligible.map((web_id) => ({ web_id, state: 'waiting', ...storedMessage('error', null) }))
  const refused = skipped
    .filter(({ fqdn }) => fqdn !== null)
    .map(({ web_id, reason }) => ({
      web_id,
      state: 'skipped',
      ...storedMessage('error', reason),
      ended_at: now,
    }))
  const targets = [...waiting, ...refused].map((target, position) => ({
    batch_id: created.id,
    position,
    ...target,
  }))
  for (const some of chunk(targets)) await tx.db.insert(batchTargets).values(some)
  return created.id
}

/**
 * What the revert of a batch would do. Workers check again when they start a web.
 * @throws DomainError as `revertBatch`
 */
export async function previewRevert(context: Context, id: number): Promise<BatchPreview> {
  const { action, webs } = await planRevert(context, await findBatch(context, id, false))
  const { eligible, skipped } = await findRevertRefusals(
    context,
    context.db,
    { action, batch: id, namesCauser: true },
    webs,
  )
  return presentPreview(eligible, skipped)
}

/** How a batch is taken back, and the webs that it has changed. @throws DomainError as `revertBatch` */
async function planRevert(scope: Scope, { action: done, row }: Awaited<ReturnType<typeof findBatch>>) {
  const action = opposites[done]
  if (action === undefined) throw conflict('batch_not_revertible')
  assertMayRun(scope, action)
  if (row.state === 'running') throw conflict('batch_still_running')
  const succeeded = await scope.db
    .select({ web: batchTargets.web_id })
    .from(batchTargets)
    .where(and(eq(batchTargets.batch_id, row.id), eq(batchTargets.state, 'succeeded')))
    .orderBy(batchTargets.position)
  if (succeeded.length === 0) throw conflict('batch_nothing_to_revert')
  return { action, webs: succeeded.map(({ web }) => web) }
}

/**
 * Takes a batch back with another one, for the webs that have succeeded.
 * @returns the id of the other batch
 * @throws DomainError not-found; forbidden without the permission of the opposite action; unconfirmed; conflict while the batch is
 * running, and if there is nothing to revert
 */
export const revertBatch = (context: Context, id: number): Promise<number> =>
  withAudit(context, async (tx) => {
    const batch = await lockBatch(tx, id)
    const { action, webs } = await planRevert(tx, batch)
    if (batchNeedsConfirmation(action)) await tx.assertConfirmed()
    const { parallel, stop_above } = batch.row
    const created = await insertBatch(tx, { action, reverts_batch: id, parallel, stop_above }, webs, [])
    const attributes = { action, webs: webs.length, reverts_batch: id }
    await tx.record({ log: 'batches', description: 'created', subject: subjectOf(created), attributes })
    return created
  })

/** Starts no more webs. @throws DomainError not-found; forbidden; conflict if it has ended, or if none is waiting */
export const cancelBatch = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const { action, state } = await lockBatch(tx, id)
    if (state !== 'running') throw conflict('batch_not_running')
    const cancelled = await cancelWaiting(tx, id, message('batch_cancelled'))
    if (cancelled === 0) throw conflict('batch_nothing_to_cancel')
    const attributes = { action, webs: cancelled }
    await tx.record({ log: 'batches', description: 'cancelled', subject: subjectOf(id), attributes })
  })

/**
 * Starts the webs of `findRetryable` again, as the user who asks for it.
 * @throws DomainError not-found; forbidden; unconfirmed; conflict while it is running, or if there are none
 */
export const retryBatch = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const { action, state, row } = await lockBatch(tx, id)
    if (batchNeedsConfirmation(action)) await tx.assertConfirmed()
    if (state === 'running') throw conflict('batch_still_running')
    const retried = await findRetryable(tx, tx.db, row)
    if (retried.length === 0) throw conflict('batch_nothing_to_retry')
    await tx.db
      .update(batchTargets)
      .set({
        state: 'waiting',
        deployment_id: null,
        inspection_id: null,
        started_at: null,
        ended_at: null,
        ...storedMessage('error', null),
      })
      .where(and(eq(batchTargets.batch_id, id), isAnyOf(batchTargets.web_id, retried)))
    // Those whose deployment was retried individually take its result.
    await tx.db
      .update(batchTargets)
      .set({ state: 'running', ended_at: null, ...storedMessage('error', null) })
      .from(deployments)
      .where(
        and(
          eq(batchTargets.batch_id, id),
          eq(batchTargets.state, 'failed'),
          eq(deployments.id, batchTargets.deployment_id),
          inArray(deployments.state, ['waiting', 'running', 'succeeded']),
        ),
      )
    await tx.db
      .update(batches)
      .set({ state: 'running', retried_by: requireActor(tx).id, ended_at: null, updated_at: tx.now() })
      .where(eq(batches.id, id))
    const attributes = { action, webs: retried.length }
    await tx.record({ log: 'batches', description: 'retried', subject: subjectOf(id), attributes })
  })

/** Locks a batch of an action that the acting user may run. Its row is always locked before its targets. */
const lockBatch = (tx: AuditTransaction, id: number) => findBatch(tx, id, true)

async function findBatch(scope: Scope, id: number, isLocked: boolean) {
  const query = scope.db.select().from(batches).where(eq(batches.id, id))
  const [row] = await (isLocked ? query.for('update') : query)
  if (!row || !maySeeBatch(scope, row)) throw notFound('batch_not_found', { id })
  const action = row.action as BatchAction
  assertMayRun(scope, action)
  return { action, state: row.state, row }
}

function assertMayRun({ actor }: Pick<Context, 'actor'>, action: BatchAction): void {
  if (!can(actor, batchAccessOf(action))) throw forbidden('unauthorized')
}

const presentPreview = (eligible: readonly number[], skipped: readonly SkippedWeb[]): BatchPreview => ({
  eligible: eligible.length,
  skipped: skipped.map(({ reason, ...web }) => ({ ...web, ...presentReason(reason) })),
})

const presentReason = (reason: Parameters<typeof storedMessage>[1]) => {
  const { reason: sentence, ...fields } = storedMessage('reason', reason)
  return { reason: sentence ?? '', ...fields }
}
