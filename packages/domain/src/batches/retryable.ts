import { type BatchAction, batchAccessOf } from '@kustos/contract/batches'
import { can } from '@kustos/contract/permissions'
import type { Transaction } from '@kustos/database/client'
import { batchTargets, deployments } from '@kustos/database/tables'
import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { findRefusals } from './refusals.ts'
import { findRevertRefusals } from './revert.ts'
import type { BatchRow } from './start-target.ts'

/**
 * The webs that a retry by the acting user starts again: those that failed or were not started, and skipped ones to which the action
 * applies by now. None while the batch is running, and none whose deployment was retried individually and is under way or has
 * succeeded.
 */
export async function findRetryable(
  context: Pick<Context, 'actor' | 'now'>,
  db: Transaction,
  batch: BatchRow,
): Promise<readonly number[]> {
  const action = batch.action as BatchAction
  if (batch.state === 'running' || !can(context.actor, batchAccessOf(action))) return []
  const targets = await db
    .select({ web: batchTargets.web_id, state: batchTargets.state })
    .from(batchTargets)
    .leftJoin(deployments, eq(deployments.id, batchTargets.deployment_id))
    .where(
      and(
        eq(batchTargets.batch_id, batch.id),
        inArray(batchTargets.state, ['failed', 'skipped', 'cancelled']),
        or(isNull(deployments.state), inArray(deployments.state, ['failed', 'cancelled'])),
      ),
    )
  const websOf = (isSkipped: boolean) =>
    targets.flatMap(({ web, state }) => ((state === 'skipped') === isSkipped ? [web] : []))
  const webs = websOf(true)
  const { eligible } =
    batch.reverts_batch === null
      ? await findRefusals(context, db, {
          action,
          webs,
          edits: batch.edits ?? undefined,
          check: batch.check ?? undefined,
        })
      : await findRevertRefusals(
          context,
          db,
          { action, batch: batch.reverts_batch, namesCauser: false },
          webs,
        )
  return [...websOf(false), ...eligible]
}
