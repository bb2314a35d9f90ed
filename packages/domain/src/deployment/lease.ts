import type { Message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { deploymentSteps, deployments } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { LeaseLostError, leaseExpiry } from '../platform/lease.ts'
import { retryTransient } from '../platform/retry.ts'
import { storedMessage } from '../platform/stored-message.ts'
import type { Claim } from './claim.ts'

/** How an execution ends. A deployment that is `waiting` is continued later. */
export type End =
  | { readonly state: 'succeeded' | 'cancelled' | 'waiting' }
  | { readonly state: 'failed'; readonly error: Message }

export type Lease = ReturnType<typeof createLease>

type StepState = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'pending'

/**
 * Writes of the execution that holds the lease. They throw LeaseLostError once another one has taken it over.
 * @param stopping ends the retries while the database is down
 */
export function createLease(context: Context, row: Claim['row'], holder: string, stopping: AbortSignal) {
  const isOwnLease = and(
    eq(deployments.id, row.id),
    eq(deployments.holder, holder),
    eq(deployments.state, 'running'),
  )

  return {
    /** @returns `cancel` if the user has cancelled the deployment; `lost` if another execution has taken the lease over */
    async renew(): Promise<'go on' | 'cancel' | 'lost'> {
      const [renewed] = await context.db
        .update(deployments)
        .set({ held_until: leaseExpiry })
        .where(isOwnLease)
        .returning({ cancel: deployments.cancel_requested_at })
      if (!renewed) return 'lost'
      return renewed.cancel === null ? 'go on' : 'cancel'
    },

    mark: (step: number, state: StepState, error: Message | null = null): Promise<void> =>
      retryTransient(stopping, () =>
        context.db.transaction(async (db) => {
          const now = context.now()
          const ours = await db
            .update(deployments)
            .set({ updated_at: now })
            .where(isOwnLease)
            .returning({ id: deployments.id })
          if (ours.length === 0) throw new LeaseLostError(`deployment ${row.id}`)
          const times = {
            running: { started_at: now, ended_at: null },
            pending: { started_at: null, ended_at: null },
            succeeded: { ended_at: now },
            failed: { ended_at: now },
            cancelled: { ended_at: now },
          }[state]
          await db
            .update(deploymentSteps)
            .set({ state, ...storedMessage('error', error), ...times })
            .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.step, step)))
        }),
      ),

    /**
     * Ends the deployment with its audit log entry and releases the lease.
     * @returns how it has ended, which is `cancelled` for a waiting one that the user has cancelled
     */
    finish: (wanted: End, webId: number | null): Promise<End> =>
      retryTransient(stopping, () =>
        withAudit(context, async (tx) => {
          const now = tx.now()
          const [asked] = await tx.db
            .select({ cancel: deployments.cancel_requested_at })
            .from(deployments)
            .where(isOwnLease)
            .for('update')
          if (!asked) throw new LeaseLostError(`deployment ${row.id}`)
          const isCancelled = wanted.state === 'waiting' && asked.cancel !== null
          const end: End = isCancelled ? { state: 'cancelled' } : wanted
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
              .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.state, 'pending')))
          await tx.record({
            log: 'deployment',
            description: `${row.kind} ${end.state}`,
            subject: webId === null ? { type: 'deployment', id: row.id } : { type: 'web', id: webId },
            attributes: {
              deployment: row.id,
              ...(end.state === 'failed' && { error: englishText(end.error) }),
            },
            causerId: row.requested_by,
          })
          return end
        }),
      ),
  }
}
