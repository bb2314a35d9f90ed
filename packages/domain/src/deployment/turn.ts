import { deployments } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import type { Claim } from './claim.ts'
import { jobIdOf, runDeployment } from './jobs.ts'
import type { ExecutionTools } from './tools.ts'

/** Whether a deployment waits again, as after a retry. */
export async function isWaiting({ db }: Context, id: number): Promise<boolean> {
  const [row] = await db.select({ state: deployments.state }).from(deployments).where(eq(deployments.id, id))
  return row?.state === 'waiting'
}

/** Promotes the deployments that wait for the web or node of this one. */
export async function promoteNext({ db }: Context, tools: ExecutionTools, row: Claim['row']): Promise<void> {
  try {
    const next = await db
      .select({ id: deployments.id })
      .from(deployments)
      .where(
        and(
          eq(deployments.state, 'waiting'),
          row.node_id === null ? eq(deployments.fqdn, row.fqdn) : eq(deployments.node_id, row.node_id),
        ),
      )
      .orderBy(deployments.id)
      .limit(tools.nodeConcurrency + 1)
    for (const { id } of next)
      await tools.queues.promote(runDeployment.queue, jobIdOf(id)).catch(tools.onError)
  } catch (error) {
    // They check again by themselves.
    tools.onError(toError(error))
  }
}
