import type { DeploymentState } from '@kustos/contract/deployment'
import type { Tone } from '@kustos/contract/grid'

export const stateTones: Readonly<Record<DeploymentState, Tone>> = {
  waiting: 'grey',
  running: 'orange',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'grey',
}

/** Whether nothing more happens to a deployment unless it is retried. */
export const isOver = (state: DeploymentState): boolean => state !== 'waiting' && state !== 'running'

/** Whether it can go on from where it ended. */
export const isRetriable = (state: DeploymentState): boolean => state === 'failed' || state === 'cancelled'
