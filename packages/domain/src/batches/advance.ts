import { type BatchAction, batchActions, batchName } from '@kustos/contract/batches'
import { message } from '@kustos/contract/messages'
import { batches, batchTargets, deployments, inspections } from '@kustos/database/tables'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { mailRequester } from '../deployment/index.ts'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { cancelWaiting } from './cancel-waiting.ts'
import { countTargets, type TargetCounts } from './read.ts'
import { type BatchRow, startTarget } from './start-target.ts'
import type { BatchTools } from './tools.ts'
import { planWave } from './wave.ts'

/** Webs of one batch that are started before the next batch has its turn. */
const turn = 50

/**
 * Lets every running batch take note of what has ended, and start more. Batches take turns, until none can go on.
 * @returns the number of started webs; null if there were none
 */
export async function advanceBatches(
  context: Context,
  tools: BatchTools,
  signal: AbortSignal,
): Promise<{ readonly webs: number } | null> {
  let total = 0
  for (;;) {
    const running = await context.db
      .select()
      .from(batches)
      // An action that this release does not know is left to workers that do.
      .where(and(eq(batches.state, 'running'), inArray(batches.action, [...batchActions])))
      .orderBy(asc(batches.id))
    let started = 0
    for (const batch of running) started += await advance(context, tools, batch, signal)
    total += started
    if (started === 0) return total === 0 ? null : { webs: total }
  }
}

/** @returns the number of webs that were started */
async function advance(
  context: Context,
  tools: BatchTools,
  batch: BatchRow,
  signal: AbortSignal,
): Promise<number> {
  const wave = await withAudit(context, async (tx) => {
    const [locked] = await tx.db.select().from(batches).where(eq(batches.id, batch.id)).for('update')
    tx.skipAudit()
    if (locked?.state !== 'running') return null
    if (await settleTargets(tx, batch.id)) await touch(tx, batch.id)
    const counts = (await countTargets(tx.db, [batch.id])).get(batch.id)
    if (!counts) throw new Error(`Batch ${batch.id} was not counted`)
    const plan = planWave(counts, batch)
    if (plan.next === 'stop')
      await cancelWaiting(tx, batch.id, message('batch_stopped', { percent: locked.stop_above }))
    if (plan.next === 'end') await end(tx, locked, counts)
    return { plan, batch: locked }
  })
  if (wave?.plan.next === 'stop') return advance(context, tools, batch, signal)
  if (wave?.plan.next !== 'start') return 0
  const targets = await context.db
    .select({ position: batchTargets.position, web_id: batchTargets.web_id })
    .from(batchTargets)
    .where(and(eq(batchTargets.batch_id, batch.id), eq(batchTargets.state, 'waiting')))
    .orderBy(asc(batchTargets.position))
    .limit(Math.min(wave.plan.webs, turn))
  for (const target of targets) {
    signal.throwIfAborted()
    await startTarget(context, tools, wave.batch, target)
  }
  return targets.length
}

/** Ends the targets whose deployment or inspection has ended. @returns whether there were any */
async function settleTargets({ db, now }: AuditTransaction, batch: number): Promise<boolean> {
  const isRunning = and(eq(batchTargets.batch_id, batch), eq(batchTargets.state, 'running'))
  const cancelled = storedMessage('error', message('deployment_cancelled'))
  const isCancelled = sql`${deployments.state} = 'cancelled'`
  const deployed = await db
    .update(batchTargets)
    .set({
      state: sql`case ${deployments.state} when 'cancelled' then 'failed' else ${deployments.state} end`,
      error: sql`case when ${isCancelled} then ${cancelled.error} else ${deployments.error} end`,
      error_code: sql`case when ${isCancelled} then ${cancelled.error_code} else ${deployments.error_code} end`,
      error_params: sql`${deployments.error_params}`,
      ended_at: sql`${deployments.ended_at}`,
    })
    .from(deployments)
    .where(
      and(
        isRunning,
        eq(deployments.id, batchTargets.deployment_id),
        inArray(deployments.state, ['succeeded', 'failed', 'cancelled']),
      ),
    )
  const inspected = await db
    .update(batchTargets)
    .set({
      state: sql`case ${inspections.state} when 'failed' then 'failed' else 'succeeded' end`,
      error: sql`${inspections.problems}[1]`,
      error_code: sql`${inspections.problem_codes} -> 0 ->> 'code'`,
      error_params: sql`${inspections.problem_codes} -> 0 -> 'params'`,
      ended_at: sql`${inspections.ended_at}`,
    })
    .from(inspections)
    .where(
      and(
        isRunning,
        eq(inspections.id, batchTargets.inspection_id),
        inArray(inspections.state, ['succeeded', 'partial', 'failed']),
      ),
    )
  // An inspection that was purged has ended long ago.
  const lost = await db
    .update(batchTargets)
    .set({ state: 'succeeded', ended_at: now() })
    .where(
      and(
        isRunning,
        isNull(batchTargets.deployment_id),
        sql`not exists (select from ${inspections} where ${inspections.id} = ${batchTargets.inspection_id})`,
      ),
    )
  return (deployed.rowCount ?? 0) + (inspected.rowCount ?? 0) + (lost.rowCount ?? 0) > 0
}

async function end(tx: AuditTransaction, batch: BatchRow, counts: TargetCounts): Promise<void> {
  const [unstarted] = await tx.db
    .select({ code: batchTargets.error_code })
    .from(batchTargets)
    .where(and(eq(batchTargets.batch_id, batch.id), eq(batchTargets.state, 'cancelled')))
    .limit(1)
  const ended = counts.failed > 0 || counts.succeeded === 0 ? 'failed' : 'succeeded'
  const state = unstarted === undefined ? ended : unstarted.code === 'batch_stopped' ? 'stopped' : 'cancelled'
  await tx.db
    .update(batches)
    .set({ state, ended_at: tx.now(), updated_at: tx.now() })
    .where(eq(batches.id, batch.id))
  // A trigger notifies who has requested it, and not who has retried it.
  if (batch.retried_by !== null && batch.retried_by !== batch.requested_by)
    await tx.db.execute(sql`
      select pg_notify('kustos', json_build_object('list', 'own_batches', 'id', ${batch.retried_by}::int)::text)`)
  if (state !== 'cancelled') await mailEnd(tx, batch, counts)
}

function mailEnd(
  tx: AuditTransaction,
  { id, action, requested_by, retried_by }: BatchRow,
  { waiting: _, running: __, ...counts }: TargetCounts,
): Promise<void> {
  const total = Object.values(counts).reduce((sum, some) => sum + some, 0)
  const parts = Object.entries(counts).flatMap(([state, some]) => (some > 0 ? [`${some} ${state}`] : []))
  const title = `${batchName(action as BatchAction)} · ${total} webs: ${parts.join(', ')}`
  return mailRequester(tx, retried_by ?? requested_by, { title, lines: [] }, `/batches/${id}`)
}

const touch = ({ db, now }: AuditTransaction, id: number) =>
  db.update(batches).set({ updated_at: now() }).where(eq(batches.id, id))
