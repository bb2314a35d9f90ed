import type { DeploymentState } from '@kustos/contract/deployment'
import type { Tone } from '@kustos/contract/grid'
import type { JobState } from '@kustos/contract/queue'

export const stateTones: Readonly<Record<DeploymentState, Tone>> = {
  waiting: 'grey',
  running: 'orange',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'grey',
}

export const isOver = (state: JobState): boolean => !['waiting', 'delayed', 'running'].includes(state)

export const isRetriable = (state: JobState): boolean => state === 'failed' || state === 'cancelled'
