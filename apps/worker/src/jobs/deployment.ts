import {
  executeDeployment,
  purgeDeploymentLines,
  runDeployment,
  sweepDeployments,
} from '@kustos/domain/deployment'
import type { Context } from '@kustos/domain/platform/context'
import { createQueueWork, type QueueWork } from '@kustos/domain/platform/jobs'
import type { WorkerServices } from '@kustos/domain/services'
import type { PeriodicTask } from '../periodic-tasks.ts'

/** In one worker process. The limits of nodes and webs apply to all workers together. */
const concurrency = 32

export const deploymentWork = (
  context: Context,
  { deployments, mail }: Pick<WorkerServices, 'deployments' | 'mail'>,
): QueueWork =>
  createQueueWork(runDeployment, concurrency, ({ deployment }, signal, requestId) =>
    executeDeployment({ ...context, mail, requestId }, deployments, deployment, signal),
  )

export const deploymentTasks = ({
  deployments,
}: Pick<WorkerServices, 'deployments'>): readonly PeriodicTask[] => [
  {
    name: 'enqueue-lost-deployments',
    everyMs: 10_000,
    run: (context) => sweepDeployments(context, deployments),
  },
  { name: 'purge-deployment-output', everyMs: 6 * 3_600_000, run: purgeDeploymentLines },
]
