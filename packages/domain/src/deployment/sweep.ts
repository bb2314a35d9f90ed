import type { DeploymentKind } from '@kustos/contract/deployment'
import { deployments } from '@kustos/database/tables'
import { and, eq, or, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { deploymentJob, jobIdOf, runDeployment } from './jobs.ts'
import type { DeploymentTools } from './tools.ts'

/**
 * Hands over again what has lost its job: rows that wait, and rows whose execution died with its job. What the job
 * queue forgets is forgotten for seconds only.
 */
export async function sweepDeployments(
  { db }: Context,
  tools: Pick<DeploymentTools, 'queues'>,
): Promise<{ handedOver: number }> {
  const rows = await db
    .select({
      id: deployments.id,
      kind: deployments.kind,
      fqdn: deployments.fqdn,
      web_id: deployments.web_id,
    })
    .from(deployments)
    .where(
      or(
        eq(deployments.state, 'waiting'),
        and(eq(deployments.state, 'running'), sql`${deployments.held_until} < clock_timestamp()`),
      ),
    )
    .orderBy(deployments.id)
  let handedOver = 0
  for (const { id, kind, fqdn, web_id } of rows) {
    if (await tools.queues.holds(runDeployment.queue, jobIdOf(id))) continue
    // The table holds what the contract's kinds wrote.
    await tools.queues.add(deploymentJob({ deployment: id, kind: kind as DeploymentKind, fqdn, web_id }))
    handedOver += 1
  }
  return { handedOver }
}
