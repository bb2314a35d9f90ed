import { deploymentSteps, deployments } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { lasting } from '../lasting.ts'
import type { Claim } from './claim.ts'
import { Lost } from './failure.ts'

/** How an execution ends; `waiting` hands the deployment back. */
export type End =
  | { readonly state: 'succeeded' | 'cancelled' | 'waiting' }
  | { readonly state: 'failed'; readonly error: string }

/** What an execution writes of the deployment that it holds. Both throw Lost where another one holds it meanwhile. */
export interface Hold {
  mark(
    step: number,
    state: 'running' | 'succeeded' | 'failed' | 'cancelled' | 'pending',
    error?: string | null,
  ): Promise<void>
  /**
   * Ends the row with its log entry, or hands it back, unless its cancellation was asked for meanwhile.
   * @param webId the web, as far as there is one by now
   * @returns how it has ended
   */
  settle(end: End, webId: number | null): Promise<End>
}

/** @param stopping ends the attempts to write while the database is away */
export function hold(context: Context, row: Claim['row'], holder: string, stopping: AbortSignal): Hold {
  const held = and(
    eq(deployments.id, row.id),
    eq(deployments.holder, holder),
    eq(deployments.state, 'running'),
  )

  return {
    mark: (step, state, error = null) =>
      lasting(stopping, () =>
        context.db.transaction(async (db) => {
          const now = context.now()
          const ours = await db
            .update(deployments)
            .set({ updated_at: now })
            .where(held)
            .returning({ id: deployments.id })
          if (ours.length === 0) throw new Lost()
          const times = {
            running: { started_at: now, ended_at: null },
            pending: { started_at: null, ended_at: null },
            succeeded: { ended_at: now },
            failed: { ended_at: now },
            cancelled: { ended_at: now },
          }[state]
          await db
            .update(deploymentSteps)
            .set({ state, error, ...times })
            .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.step, step)))
        }),
      ),

    settle: (wanted, webId) =>
      lasting(stopping, () =>
        change(context, async (inside) => {
          const now = inside.now()
          const [asked] = await inside.db
            .select({ cancel: deployments.cancel_requested_at })
            .from(deployments)
            .where(held)
            .for('update')
          if (!asked) throw new Lost()
          const isCancelled = wanted.state === 'waiting' && asked.cancel !== null
          const end: End = isCancelled ? { state: 'cancelled' } : wanted
          await inside.db
            .update(deployments)
            .set({
              state: end.state,
              error: end.state === 'failed' ? end.error : null,
              ended_at: end.state === 'waiting' ? null : now,
              holder: null,
              held_until: null,
              updated_at: now,
            })
            .where(eq(deployments.id, row.id))
          if (end.state === 'waiting') {
            inside.unchanged()
            return end
          }
          if (end.state === 'cancelled')
            await inside.db
              .update(deploymentSteps)
              .set({ state: 'cancelled' })
              .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.state, 'pending')))
          await inside.record({
            log: 'deployment',
            description: `${row.kind} ${end.state}`,
            subject: webId === null ? { type: 'deployment', id: row.id } : { type: 'web', id: webId },
            attributes: { deployment: row.id, ...(end.state === 'failed' && { error: end.error }) },
            ...(row.requested_by !== null && { causerId: row.requested_by }),
          })
          return end
        }),
      ),
  }
}
