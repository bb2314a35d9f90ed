import { message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { deploymentSteps, deployments } from '@kustos/database/tables'
import { and, eq, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { StepWork } from './builtins.ts'
import { selectRunner } from './command.ts'
import { StepFailure } from './failure.ts'
import { writesSameKickDump } from './kick-dump.ts'
import { createRunId } from './runs.ts'

/** In the words of an index. */
const mayRun = and(isNotNull(deploymentSteps.run_epoch), sql`${deploymentSteps.state} <> 'succeeded'`)

/** Whether a command that the deployment has started may still run, as after an execution that failed unexpectedly. */
export const mayHaveLeftRun = async (db: Transaction, id: number): Promise<boolean> =>
  (await db.$count(deploymentSteps, and(mayRun, eq(deploymentSteps.deployment_id, id)))) > 0

/**
 * Checks that no command still runs that another deployment of the web, or of its kick dump, has left on its node, as after a lost
 * connection. It is never ended here. The node is not asked again for those that have ended.
 * @throws StepFailure, and the errors of the runners
 */
export async function checkLeftRuns({ context: { db }, tools, row, node, webId }: StepWork): Promise<void> {
  const concernsSame = or(
    eq(deployments.fqdn, row.fqdn),
    webId === null ? undefined : eq(deployments.web_id, webId),
    writesSameKickDump(row),
  )
  const steps = await db
    .select({ id: deployments.id, step: deploymentSteps.step, epoch: deploymentSteps.run_epoch })
    .from(deploymentSteps)
    .innerJoin(deployments, eq(deployments.id, deploymentSteps.deployment_id))
    .where(
      and(
        mayRun,
        ne(deployments.id, row.id),
        row.node_id === null ? undefined : eq(deployments.node_id, row.node_id),
        concernsSame,
      ),
    )
    .orderBy(deployments.id)
  const left = steps.flatMap(({ id, step, epoch }) =>
    epoch === null ? [] : [{ id, step, epoch, runId: createRunId({ id, epoch }, step) }],
  )
  if (left.length === 0) return
  const running = await selectRunner(node, tools.runners).findRunning(...left.map(({ runId }) => runId))
  for (const { id, step, epoch, runId } of left)
    if (!running.includes(runId))
      await db
        .update(deploymentSteps)
        .set({ run_epoch: null })
        .where(
          and(
            eq(deploymentSteps.deployment_id, id),
            eq(deploymentSteps.step, step),
            eq(deploymentSteps.run_epoch, epoch),
            // Its own deployment has yet to read how the command ended.
            ne(deploymentSteps.state, 'running'),
          ),
        )
  const first = left.find(({ runId }) => running.includes(runId))
  if (first) throw new StepFailure(message('command_left_running', { deployment: first.id }))
}
