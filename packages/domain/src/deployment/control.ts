import {
  accessOf,
  type DeploymentKind,
  type DeploymentState,
  overwritesData,
} from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { deploymentSteps, deployments, nodes } from '@kustos/database/tables'
import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, DomainError, forbidden, notFound } from '../platform/errors.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { enqueue } from './enqueue.ts'
import { jobIdOf, runDeployment } from './jobs.ts'
import { mayHaveLeftRun } from './left-runs.ts'
import { findTargetMismatch, rejectDuplicate, rejectOtherSpelling } from './refusals.ts'
import { findSystemUserOwner, systemUser } from './system-user.ts'
import type { DeploymentTools } from './tools.ts'

/**
 * Continues a failed or cancelled deployment with the step that was not done.
 * @throws DomainError not-found; forbidden; unconfirmed if it overwrites data; conflict in another state, if its backup is outdated, if
 * the node is no longer cloud-enabled, or if such a deployment is already waiting or running
 */
export async function retryDeployment(context: Context, tools: DeploymentTools, id: number): Promise<void> {
  const row = await rejectDuplicate(() =>
    withAudit(context, async (tx) => {
      const found = await lock(tx, id)
      if (found.state !== 'failed' && found.state !== 'cancelled')
        throw conflict(`not_retryable_${found.state}`, { id })
      if (overwritesData(found.kind)) {
        await tx.assertConfirmed()
        await rejectOutdatedBackup(tx, tools, found)
      }
      await checkTarget(tx, found)
      await tx.db
        .update(deployments)
        .set({
          state: 'waiting',
          attempts: found.attempts + 1,
          failed_executions: 0,
          ...storedMessage('error', null),
          ...storedMessage('waits_for', null),
          cancel_requested_at: null,
          holder: null,
          held_until: null,
          started_at: null,
          ended_at: null,
          updated_at: tx.now(),
        })
        .where(eq(deployments.id, id))
      await tx.db
        .update(deploymentSteps)
        .set({ state: 'pending', started_at: null, ended_at: null, ...storedMessage('error', null) })
        .where(
          and(
            eq(deploymentSteps.deployment_id, id),
            notInArray(deploymentSteps.state, ['succeeded', 'skipped']),
          ),
        )
      await record(tx, found, 'retried')
      return found
    }),
  )
  await enqueue(context, tools, { deployment: id, kind: row.kind, fqdn: row.fqdn, web_id: row.web_id })
}

/**
 * Cancels a waiting deployment, or asks the holder of a running one to stop its command and then end it. So is the next holder
 * of a waiting one whose command may still run.
 * @throws DomainError not-found; forbidden; conflict if it has ended
 */
export async function cancelDeployment(context: Context, tools: DeploymentTools, id: number): Promise<void> {
  const isOver = await withAudit(context, async (tx) => {
    const found = await lock(tx, id)
    const now = tx.now()
    if (found.state !== 'waiting' && found.state !== 'running')
      throw conflict(`not_cancellable_${found.state}`, { id })
    const isOver = found.state === 'waiting' && !(await mayHaveLeftRun(tx.db, id))
    if (isOver) {
      await tx.db
        .update(deployments)
        .set({ state: 'cancelled', ended_at: now, updated_at: now, ...storedMessage('waits_for', null) })
        .where(eq(deployments.id, id))
      await tx.db
        .update(deploymentSteps)
        .set({ state: 'cancelled' })
        .where(
          and(eq(deploymentSteps.deployment_id, id), inArray(deploymentSteps.state, ['pending', 'running'])),
        )
    } else {
      await tx.db
        .update(deployments)
        .set({ cancel_requested_at: found.cancel_requested_at ?? now, updated_at: now })
        .where(eq(deployments.id, id))
    }
    await record(tx, found, 'cancelled')
    return isOver
  })
  // A job that is left behind finds the row cancelled and does nothing.
  const change = isOver ? tools.queues.remove : tools.queues.promote
  await change(runDeployment.queue, jobIdOf(id)).catch(tools.onError)
}

type Row = typeof deployments.$inferSelect & {
  readonly kind: DeploymentKind
  readonly state: DeploymentState
}

async function lock(tx: AuditTransaction, id: number): Promise<Row> {
  const [row] = await tx.db.select().from(deployments).where(eq(deployments.id, id)).for('update')
  if (!row) throw notFound('deployment_not_found', { id })
  const kind = row.kind as DeploymentKind
  if (!can(tx.actor, accessOf(kind))) throw forbidden('kind_not_permitted', { kind })
  return { ...row, kind, state: row.state as DeploymentState }
}

/** After which too much has changed in a web since a deployment ended. */
const backupTtlMs = 3_600_000

/**
 * A retry does not repeat the backup, which was taken before the first attempt: what has changed since that ended would be lost.
 * @throws DomainError conflict
 */
async function rejectOutdatedBackup(
  { db, now }: Scope,
  { recipes }: DeploymentTools,
  { id, kind, ended_at: ended }: Row,
): Promise<void> {
  if (ended === null || now().getTime() - ended.getTime() <= backupTtlMs) return
  const steps = await db.select().from(deploymentSteps).where(eq(deploymentSteps.deployment_id, id))
  // Nothing but a retry ends a command that may still run.
  if (steps.some(({ run_epoch }) => run_epoch !== null)) return
  const backups = steps.filter(({ step: index }) => {
    const step = recipes[kind]?.[index]
    return step?.place === 'node' && step.only === 'backup'
  })
  if (backups.length > 0 && backups.every(({ state }) => state === 'succeeded'))
    throw conflict('backup_outdated')
}

/** A retry is rejected for the same reasons as a request. */
async function checkTarget(tx: Scope, row: Row): Promise<void> {
  if (row.kind === 'newWeb') await rejectOtherSpelling(tx.db, row.fqdn)
  if (row.node_id !== null) {
    const [node] = await tx.db.select().from(nodes).where(eq(nodes.id, row.node_id))
    if (node?.cloud_enabled !== true) throw conflict('wrong_server')
    if (row.request !== null && row.web_id === null) {
      const { fqdn, request } = row
      const taken = await findSystemUserOwner(tx.db, { fqdn, user: systemUser(request.bnName), node })
      if (taken !== null) throw conflict('ask_with_another_number', { taken })
    }
  }
  const mismatch = row.web_id === null ? null : await findTargetMismatch(tx.db, row, row.web_id)
  if (mismatch !== null) throw new DomainError('conflict', mismatch)
}

const record = (tx: AuditTransaction, row: Row, what: 'retried' | 'cancelled') =>
  tx.record({
    log: 'deployment',
    description: `${row.kind} ${what}`,
    subject: row.web_id === null ? { type: 'deployment', id: row.id } : { type: 'web', id: row.web_id },
    attributes: { deployment: row.id },
  })
