import type { NewJob } from '@kustos/clients/queue'
import type { DeploymentKind } from '@kustos/contract/deployment'
import { deploymentSteps, deployments } from '@kustos/database/tables'
import type { Change } from '../audit.ts'
import type { Context } from '../context.ts'
import { deploymentJob } from './jobs.ts'
import type { DeploymentTools } from './tools.ts'

/** Hands a deployment's job over. Where that cannot be done now, the sweeper does it: the row is what counts. */
export async function handOver(
  { requestId }: Pick<Context, 'requestId'>,
  tools: DeploymentTools,
  payload: Parameters<typeof deploymentJob>[0],
  { isFirst = false }: Pick<NewJob, 'isFirst'> = {},
): Promise<void> {
  await tools.queues.add({ ...deploymentJob(payload, requestId), isFirst }).catch(tools.onError)
}

/** Keeps a deployment that is accepted, and the steps of its recipe. @returns its id */
export async function keepDeployment(
  inside: Change,
  tools: DeploymentTools,
  row: Pick<
    typeof deployments.$inferInsert,
    'fqdn' | 'web_id' | 'node_id' | 'request' | 'repository' | 'backup'
  > & {
    kind: DeploymentKind
  },
): Promise<number> {
  const now = inside.now()
  const [kept] = await inside.db
    .insert(deployments)
    .values({ ...row, requested_by: inside.actor?.id ?? null, created_at: now, updated_at: now })
    .returning({ id: deployments.id })
  if (!kept) throw new Error('The deployment was not kept')
  const steps = tools.recipes[row.kind].map((step, index) => ({
    deployment_id: kept.id,
    step: index,
    name: step.name,
    place: step.place,
    state: step.place !== 'builtin' && step.only === 'backup' && row.backup === false ? 'skipped' : 'pending',
  }))
  await inside.db.insert(deploymentSteps).values(steps)
  return kept.id
}
