import { deployments } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { asError } from '../errors.ts'
import type { Claim } from './claim.ts'
import { jobIdOf, runDeployment } from './jobs.ts'
import type { ExecutionTools } from './tools.ts'

/** Whether it waits again, as after a retry. */
export async function isWaiting({ db }: Context, id: number): Promise<boolean> {
  const [row] = await db.select({ state: deployments.state }).from(deployments).where(eq(deployments.id, id))
  return row?.state === 'waiting'
}

/** Lets those begin that waited for this one's web or node. */
export async function hurryNext({ db }: Context, tools: ExecutionTools, row: Claim['row']): Promise<void> {
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
    for (const { id } of next) await tools.queues.hurry(runDeployment.queue, jobIdOf(id)).catch(tools.onError)
  } catch (error) {
    // They look again by themselves.
    tools.onError(asError(error))
  }
}
