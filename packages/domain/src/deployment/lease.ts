import { deploymentName } from '@kustos/contract/deployment'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { deploymentSteps, deployments } from '@kustos/database/tables'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { LeaseLostError, leaseExpiry } from '../platform/lease.ts'
import { retryTransient } from '../platform/retry.ts'
import { storedMessage } from '../platform/stored-message.ts'
import type { Claim } from './claim.ts'
import { storeLateSuccess } from './late-success.ts'
import { mayHaveLeftRun } from './left-runs.ts'
import { mailRequester } from './mail-requester.ts'

/** How an execution ends. A deployment that is `waiting` is continued later; one that is `running` by the next worker. */
export type End =
  | { readonly state: 'running' }
  | { readonly state: 'succeeded' }
  | { readonly state: 'cancelled' }
  | { readonly state: 'waiting'; readonly retryInMs?: number }
  | { readonly state: 'failed'; readonly error: Message }

export type Lease = ReturnType<typeof createLease>

type StepState = 'succeeded' | 'failed' | 'cancelled' | 'pending'

/** An execution that fails unexpectedly is repeated, but one that always fails would block its web and its node forever. */
const maxFailedExecutions = 3
/** Higher, since workers also die for reasons that have nothing to do with the deployment. */
export const maxWorkerDeaths = 10
/** Doubled with each further failure. */
const failureDelayMs = 2_000

/**
 * Writes of the execution that holds the lease. They, and all others in its context, throw LeaseLostError once another
 * one has taken it over.
 * @param stopping ends the retries while the database is down
 */
export function createLease(unleased: Context, row: Claim['row'], stopping: AbortSignal) {
  const isOwnLease = and(
    eq(deployments.id, row.id),
    eq(deployments.epoch, row.epoch),
    eq(deployments.state, 'running'),
  )

  const assertLease = async (tx: Transaction) => {
    // Locked until the transaction ends, so a takeover waits for what it writes.
    const [own] = await tx
      .select({ id: deployments.id })
      .from(deployments)
      .where(isOwnLease)
      .for('no key update')
    if (!own) throw new LeaseLostError(`deployment ${row.id}`)
  }
  const context: Context = { ...unleased, assertLease }
  let failedExecutions = row.failed_executions
  const updateStep = (step: number, values: Partial<typeof deploymentSteps.$inferInsert>): Promise<void> =>
    retryTransient(stopping, () =>
      context.db.transaction(async (db) => {
        await assertLease(db)
        await db
          .update(deployments)
          .set({ updated_at: context.now(), failed_executions: failedExecutions })
          .where(eq(deployments.id, row.id))
        await db
          .update(deploymentSteps)
          .set(values)
          .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.step, step)))
      }),
    )

  return {
    context,

    /** @returns `cancel` if the user has cancelled the deployment; `lost` if another execution has taken the lease over */
    async renew(): Promise<'renewed' | 'cancel' | 'lost'> {
      const [renewed] = await context.db
        .update(deployments)
        .set({ held_until: leaseExpiry })
        .where(and(isOwnLease, isNotNull(deployments.holder)))
        .returning({ cancel: deployments.cancel_requested_at })
      if (!renewed) return 'lost'
      return renewed.cancel === null ? 'renewed' : 'cancel'
    },

    /** @param outputAfter the number of the last line before the output of the step's command; null for a built-in step */
    start: (step: number, outputAfter: number | null): Promise<void> =>
      updateStep(step, {
        state: 'running',
        started_at: context.now(),
        ended_at: null,
        run_epoch: outputAfter === null ? null : row.epoch,
        output_after: outputAfter,
      }),

    /** @param mayStillRun whether its command may still run; later deployments of the web then ask its node */
    mark: (
      step: number,
      state: StepState,
      error: Message | null = null,
      mayStillRun = false,
    ): Promise<void> => {
      if (state === 'succeeded') failedExecutions = 0
      return updateStep(step, {
        state,
        ...(!mayStillRun && { run_epoch: null }),
        ...storedMessage('error', error),
        ...(state === 'pending' ? { started_at: null, ended_at: null } : { ended_at: context.now() }),
      })
    },

    /** Lets the next worker take the deployment over at once. */
    release: async (): Promise<void> => {
      const { rowCount } = await retryTransient(stopping, () =>
        context.db
          .update(deployments)
          .set({ holder: null, held_until: sql`clock_timestamp()` })
          .where(isOwnLease),
      )
      if (rowCount === 0) throw new LeaseLostError(`deployment ${row.id}`)
    },

    /**
     * Counts an execution that has failed unexpectedly.
     * @param reason of the failure, for users
     * @returns how the deployment is to end: it is repeated, but not indefinitely
     */
    async countFailure(reason: Message): Promise<Exclude<End, { state: 'running' }>> {
      const [counted] = await retryTransient(stopping, () =>
        context.db
          .update(deployments)
          .set({ failed_executions: failedExecutions + 1 })
          .where(isOwnLease)
          .returning({ executions: deployments.failed_executions }),
      )
      if (!counted) throw new LeaseLostError(`deployment ${row.id}`)
      const { executions } = counted
      if (executions < maxFailedExecutions)
        return { state: 'waiting', retryInMs: failureDelayMs * 2 ** (executions - 1) }
      return { state: 'failed', error: message('execution_given_up', { executions, reason }) }
    },

    /**
     * Ends the deployment with its audit log entry and releases the lease.
     * @returns how it has ended, which is `cancelled` for a waiting one that the user has cancelled, unless the next execution has
     * to end its command first
     */
    finish: (wanted: Exclude<End, { state: 'running' }>, webId: number | null): Promise<End> =>
      retryTransient(stopping, () =>
        withAudit(context, async (tx) => {
          const now = tx.now()
          const [asked] = await tx.db
            .select({ cancel: deployments.cancel_requested_at })
            .from(deployments)
            .where(eq(deployments.id, row.id))
          const isCancelled =
            wanted.state === 'waiting' && asked?.cancel != null && !(await mayHaveLeftRun(tx.db, row.id))
          const end: typeof wanted = isCancelled ? { state: 'cancelled' } : wanted
          await tx.db
            .update(deployments)
            .set({
              state: end.state,
              ...storedMessage('error', end.state === 'failed' ? end.error : null),
              ended_at: end.state === 'waiting' ? null : now,
              holder: null,
              held_until: null,
              updated_at: now,
            })
            .where(eq(deployments.id, row.id))
          if (end.state === 'waiting') {
            tx.skipAudit()
            return end
          }
          if (end.state === 'cancelled')
            await tx.db
              .update(deploymentSteps)
              .set({ state: 'cancelled' })
              .where(
                and(
                  eq(deploymentSteps.deployment_id, row.id),
                  inArray(deploymentSteps.state, ['pending', 'running']),
                ),
              )
          // A step is still running if the execution has failed unexpectedly.
          if (end.state === 'failed')
            await tx.db
              .update(deploymentSteps)
              .set({ state: 'failed', ...storedMessage('error', end.error), ended_at: now })
              .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.state, 'running')))
          await tx.record({
            log: 'deployment',
            description: `${row.kind} ${end.state}`,
            subject: webId === null ? { type: 'deployment', id: row.id } : { type: 'web', id: webId },
            attributes: {
              deployment: row.id,
              ...(row.batch_id !== null && { batch: row.batch_id }),
              ...(end.state === 'failed' && { error: englishText(end.error) }),
            },
            causerId: row.requested_by,
          })
          if (end.state === 'succeeded' && row.batch_id !== null)
            await storeLateSuccess(tx, { id: row.id, batch_id: row.batch_id })
          if (end.state !== 'cancelled') await mailEnd(tx, row, end)
          return end
        }),
      ),
  }
}

/** Mails how the deployment has ended, unless that is part of a batch, whose end is mailed as a whole. */
async function mailEnd(
  tx: AuditTransaction,
  { id, kind, fqdn, requested_by, batch_id, attempts }: Claim['row'],
  end: Extract<End, { state: 'succeeded' | 'failed' }>,
): Promise<void> {
  if (requested_by === null || (batch_id !== null && attempts === 1)) return
  const title = `${deploymentName(kind)} · ${fqdn}: ${end.state}`
  const lines = end.state === 'failed' ? [englishText(end.error)] : []
  await mailRequester(tx, requested_by, { title, lines }, `/queue/${id}`)
}
