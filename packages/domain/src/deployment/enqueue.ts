import type { NewJob } from '@kustos/clients/queue'
import type { DeploymentKind } from '@kustos/contract/deployment'
import { deploymentSteps, deployments } from '@kustos/database/tables'
import type { AuditTransaction } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict } from '../platform/errors.ts'
import { deploymentJob } from './jobs.ts'
import type { DeploymentTools } from './tools.ts'

/** Enqueues the job of a deployment. If that fails, the sweeper does it later. */
export async function enqueue(
  { requestId }: Pick<Context, 'requestId'>,
  tools: DeploymentTools,
  payload: Parameters<typeof deploymentJob>[0],
  { isNewId = false }: Pick<NewJob, 'isNewId'> = {},
): Promise<void> {
  await tools.queues.add({ ...deploymentJob(payload, requestId), isNewId }).catch(tools.onError)
}

/**
 * Inserts a deployment with the steps of its recipe.
 * @returns its id
 * @throws DomainError conflict for a kind without a recipe
 */
export async function insertDeployment(
  tx: AuditTransaction,
  tools: DeploymentTools,
  row: Pick<
    typeof deployments.$inferInsert,
    'fqdn' | 'web_id' | 'node_id' | 'request' | 'repository' | 'backup' | 'batch_id'
  > & {
    kind: DeploymentKind
  },
): Promise<number> {
  const recipe = tools.recipes[row.kind]
  if (recipe === undefined) throw conflict('action_not_set_up')
  const now = tx.now()
  const [kept] = await tx.db
    .insert(deployments)
    .values({ ...row, requested_by: tx.actor?.id ?? null, created_at: now, updated_at: now })
    .returning({ id: deployments.id })
  if (!kept) throw new Error('The deployment was not inserted')
  const steps = recipe.map((step, index) => ({
    deployment_id: kept.id,
    step: index,
    name: step.name,
    name_code: step.code ?? null,
    place: step.place,
    state: step.place !== 'builtin' && step.only === 'backup' && row.backup === false ? 'skipped' : 'pending',
  }))
  await tx.db.insert(deploymentSteps).values(steps)
  return kept.id
}
