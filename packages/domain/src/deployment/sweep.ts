import type { DeploymentKind } from '@kustos/contract/deployment'
import { deploymentLines, deployments } from '@kustos/database/tables'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { enqueueMissingJobs } from '../platform/enqueue-missing-jobs.ts'
import { deploymentJob } from './jobs.ts'
import type { DeploymentTools } from './tools.ts'

/** Enqueues waiting deployments, and running ones whose lease has expired, that have lost their job. */
export async function sweepDeployments({ db }: Context, tools: Pick<DeploymentTools, 'queues'>) {
  const { kind, fqdn, web_id } = deployments
  const rows = await db
    .select({ deployment: deployments.id, kind, fqdn, web_id })
    .from(deployments)
    .where(
      or(
        eq(deployments.state, 'waiting'),
        and(eq(deployments.state, 'running'), sql`${deployments.held_until} < clock_timestamp()`),
      ),
    )
    .orderBy(deployments.id)
  return enqueueMissingJobs(
    tools.queues,
    rows.map((row) => deploymentJob({ ...row, kind: row.kind as DeploymentKind })),
    { promote: true },
  )
}

/** The output of a deployment is kept for this long. Its row and steps are kept forever. */
const lineRetentionDays = 90

/** Few enough that a statement ends long before its timeout. */
const purgedAtOnce = 1_000

export async function purgeDeploymentLines(
  { db, now }: Context,
  signal?: AbortSignal,
): Promise<{ deployments: number }> {
  const before = new Date(now().getTime() - lineRetentionDays * 86_400_000)
  const oldest = db
    .selectDistinct({ id: deploymentLines.deployment_id })
    .from(deploymentLines)
    .innerJoin(deployments, eq(deployments.id, deploymentLines.deployment_id))
    .where(lt(deployments.ended_at, before))
    .limit(purgedAtOnce)
  for (let purged = 0; ; ) {
    const found = await oldest
    for (const { id } of found) {
      signal?.throwIfAborted()
      await db.delete(deploymentLines).where(eq(deploymentLines.deployment_id, id))
    }
    purged += found.length
    if (found.length < purgedAtOnce) return { deployments: purged }
  }
}
