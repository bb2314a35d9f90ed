import type { Context } from '@kustos/domain/context'
import {
  executeDeployment,
  purgeDeploymentLines,
  runDeployment,
  sweepDeployments,
} from '@kustos/domain/deployment'
import { handle, type JobHandler } from '@kustos/domain/jobs'
import type { OutsideOfWorkers } from '@kustos/domain/outside'
import type { Duty } from '../worker.ts'

/** In one worker process; the limits of nodes and webs hold over all of them. */
export const deploymentsAtOnce = 32

export const deploymentJobs = (
  context: Context,
  { deployments }: Pick<OutsideOfWorkers, 'deployments'>,
): readonly JobHandler[] => [
  handle(runDeployment, ({ deployment }, signal) =>
    executeDeployment(context, deployments, deployment, signal),
  ),
]

export const deploymentDuties = ({ deployments }: Pick<OutsideOfWorkers, 'deployments'>): readonly Duty[] => [
  {
    name: 'hand over deployments that lost their job',
    every: 10_000,
    run: (context) => sweepDeployments(context, deployments),
  },
  { name: 'remove the output of old deployments', every: 6 * 3_600_000, run: purgeDeploymentLines },
]
