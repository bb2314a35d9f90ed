import {
  type Batch,
  type BatchAction,
  type BatchState,
  type BatchSummary,
  type BatchTargetState,
  batchTargetStates,
  maxBatchesPerResponse,
  maxOwnBatches,
} from '@kustos/contract/batches'
import { can } from '@kustos/contract/permissions'
import { queueRoutes } from '@kustos/contract/queue'
import { websRoutes } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { batches, batchTargets, logEntries, users, webs } from '@kustos/database/tables'
import { and, count, desc, eq, gt, inArray, isNotNull, lt, max, or, type SQL } from 'drizzle-orm'
import { presentRequester } from '../deployment/index.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { findRetryable } from './retryable.ts'
import type { BatchRow } from './start-target.ts'

export type TargetCounts = Record<BatchTargetState, number>

const seesAll = ({ actor }: Pick<Context, 'actor'>) => can(actor, queueRoutes.listJobs.access)

interface BatchUsers {
  readonly requested_by: number
  readonly retried_by: number | null
}

/** Users see their own batches, and all of them if they see the queue. */
export const maySeeBatch = (context: Pick<Context, 'actor'>, batch: BatchUsers): boolean =>
  seesAll(context) || isOwn(context, batch)

/** A condition on batches, as `maySeeBatch`. */
export const visibleBatches = (context: Pick<Context, 'actor'>): SQL | undefined =>
  seesAll(context) ? undefined : ofUser(requireActor(context).id)

/** Those that a user has requested or retried. */
const ofUser = (id: number) => or(eq(batches.requested_by, id), eq(batches.retried_by, id))

const isOwn = ({ actor }: Pick<Context, 'actor'>, { requested_by, retried_by }: BatchUsers): boolean =>
  actor?.id === requested_by || actor?.id === retried_by

/** Whether a user may learn which webs a batch is about, and what it changes in them. */
const seesWebs = (context: Pick<Context, 'actor'>, batch: BatchUsers): boolean =>
  isOwn(context, batch) || can(context.actor, websRoutes.listWebs.access)

/** Newest first. @param before the id of the last batch of the previous page */
export async function listBatches(context: Context, before?: number): Promise<BatchSummary[]> {
  const rows = await selectBatches(context.db)
    .where(and(visibleBatches(context), before === undefined ? undefined : lt(batches.id, before)))
    .orderBy(desc(batches.id))
    .limit(maxBatchesPerResponse)
  return presentSummaries(context, rows)
}

/** The ended ones that the acting user asked for, newest first. @param endedAfter ISO time */
export async function listOwnBatches(context: Context, endedAfter?: string): Promise<BatchSummary[]> {
  const { id } = requireActor(context)
  const rows = await selectBatches(context.db)
    .where(
      and(
        ofUser(id),
        isNotNull(batches.ended_at),
        endedAfter === undefined ? undefined : gt(batches.ended_at, new Date(endedAfter)),
      ),
    )
    .orderBy(desc(batches.ended_at))
    .limit(maxOwnBatches)
  return presentSummaries(context, rows)
}

/** @throws DomainError not-found, also for a batch that the acting user may not see */
export async function readBatch(context: Context, id: number): Promise<Batch> {
  const { db } = context
  const [[found], counts, targets] = await Promise.all([
    selectBatches(db).where(eq(batches.id, id)),
    countTargets(db, [id]),
    db
      .select({ target: batchTargets, fqdn: webs.fqdn, deletedAt: webs.deleted_at })
      .from(batchTargets)
      .innerJoin(webs, eq(webs.id, batchTargets.web_id))
      .where(eq(batchTargets.batch_id, id))
      .orderBy(batchTargets.position),
  ])
  if (!found || !maySeeBatch(context, found.batch)) throw notFound('batch_not_found', { id })
  const [retryable, retriedAt] = await Promise.all([
    findRetryable(context, db, found.batch),
    findRetry(db, found.batch),
  ])
  const seesNames = seesWebs(context, found.batch)
  const seesDeleted = isOwn(context, found.batch) || can(context.actor, websRoutes.restoreWeb.access)
  return {
    ...presentSummary(context, found, counts),
    started_at: (retriedAt ?? found.batch.created_at).toISOString(),
    retryable: retryable.length,
    targets: targets.map(({ target: { batch_id: _, position: __, ...target }, fqdn, deletedAt }) => ({
      ...serializeDates(target),
      state: target.state as BatchTargetState,
      // Users who may not see a web learn neither its name nor the reason, which may name it.
      ...(seesNames && (deletedAt === null || seesDeleted)
        ? { fqdn }
        : { fqdn: null, error: null, error_code: null, error_params: null }),
    })),
  }
}

/** When it was retried last; null if that is not in the log. */
async function findRetry(db: Transaction, { id, retried_by }: BatchRow): Promise<Date | null> {
  if (retried_by === null) return null
  const [retry] = await db
    .select({ at: max(logEntries.created_at) })
    .from(logEntries)
    .where(
      and(
        eq(logEntries.subject_type, 'batch'),
        eq(logEntries.subject_id, id),
        eq(logEntries.description, 'retried'),
      ),
    )
  return retry?.at ?? null
}

/** The number of webs in each state, by batch. */
export async function countTargets(
  db: Transaction,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TargetCounts>> {
  const counts = new Map(ids.map((id): [number, TargetCounts] => [id, noTargets()]))
  if (ids.length === 0) return counts
  const rows = await db
    .select({ batch: batchTargets.batch_id, state: batchTargets.state, count: count() })
    .from(batchTargets)
    .where(inArray(batchTargets.batch_id, [...ids]))
    .groupBy(batchTargets.batch_id, batchTargets.state)
  for (const row of rows) {
    const of = counts.get(row.batch)
    if (of) of[row.state as BatchTargetState] = row.count
  }
  return counts
}

const noTargets = () => Object.fromEntries(batchTargetStates.map((state) => [state, 0])) as TargetCounts

const selectBatches = (db: Transaction) =>
  db
    .select({ batch: batches, email: users.email })
    .from(batches)
    .innerJoin(users, eq(users.id, batches.requested_by))
    .$dynamic()

async function presentSummaries(context: Context, rows: readonly JoinedBatch[]): Promise<BatchSummary[]> {
  const counts = await countTargets(
    context.db,
    rows.map(({ batch }) => batch.id),
  )
  return rows.map((row) => presentSummary(context, row, counts))
}

type JoinedBatch = Awaited<ReturnType<typeof selectBatches>>[number]

function presentSummary(
  context: Pick<Context, 'actor'>,
  { batch, email }: JoinedBatch,
  counted: ReadonlyMap<number, TargetCounts>,
): BatchSummary {
  const counts = counted.get(batch.id) ?? noTargets()
  return {
    id: batch.id,
    action: batch.action as BatchAction,
    state: batch.state as BatchState,
    requested_by: presentRequester(batch.requested_by, email),
    parallel: batch.parallel,
    stop_above: batch.stop_above,
    ...(seesWebs(context, batch) ? { edits: batch.edits, check: batch.check } : { edits: null, check: null }),
    reverts_batch: batch.reverts_batch,
    total: Object.values(counts).reduce((sum, some) => sum + some, 0),
    counts,
    ...serializeDates({ created_at: batch.created_at, ended_at: batch.ended_at }),
  }
}
