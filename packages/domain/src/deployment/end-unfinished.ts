import type { DeploymentKind } from '@kustos/contract/deployment'
import { message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { deploymentSteps, deployments } from '@kustos/database/tables'
import { and, eq, inArray } from 'drizzle-orm'
import { auditInTransaction } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { storedMessage } from '../platform/stored-message.ts'

/**
 * Ends the deployments that were waiting or running in a restored backup: what became of them since is unknown. A job that is
 * left of one does nothing.
 * @param db the transaction of the restore
 * @returns how many there were
 */
export const endUnfinishedDeployments = (
  context: Omit<Context, 'database' | 'db'>,
  db: Transaction,
): Promise<number> =>
  auditInTransaction(context, db, async (tx) => {
    const now = tx.now()
    const reason = message('ended_by_restore')
    const ended = await tx.db
      .update(deployments)
      .set({
        state: 'failed',
        ...storedMessage('error', reason),
        ...storedMessage('waits_for', null),
        cancel_requested_at: null,
        holder: null,
        held_until: null,
        ended_at: now,
        updated_at: now,
      })
      .where(inArray(deployments.state, ['waiting', 'running']))
      .returning({ id: deployments.id, kind: deployments.kind, web_id: deployments.web_id })
    const ids = ended.map(({ id }) => id)
    await tx.db
      .update(deploymentSteps)
      .set({ state: 'failed', ...storedMessage('error', reason), ended_at: now })
      .where(and(inArray(deploymentSteps.deployment_id, ids), eq(deploymentSteps.state, 'running')))
    await tx.recordAll(
      ended
        .toSorted((one, other) => one.id - other.id)
        .map(({ id, kind, web_id }) => ({
          log: 'deployment',
          description: `${kind as DeploymentKind} failed`,
          subject: web_id === null ? { type: 'deployment', id } : { type: 'web', id: web_id },
          attributes: { deployment: id, error: englishText(reason) },
        })),
    )
    return ended.length
  })
