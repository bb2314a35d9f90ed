import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'
import type { JobState } from '@kustos/contract/queue'

/** The queue with the deployments in these states. */
export function queuePath(values: readonly JobState[]): string {
  const conditions = [{ operator: 'any-of', values }] as const
  const filters = [{ column: 'state', join: 'all', conditions }] as const
  return `/queue?${new URLSearchParams(gridStateToQuery({ ...initialGridState, filters }))}`
}
