import { inspectionRoutes } from '@kustos/contract/inspections'
import { queueRoutes } from '@kustos/contract/queue'
import type { trackingRoutes } from '@kustos/contract/tracking'
import type { websRoutes } from '@kustos/contract/webs'
import { exchange } from '../../platform/client.ts'
import { keyOf, queryClient } from '../../platform/query.ts'

type Asking = typeof websRoutes.refreshWeb | typeof trackingRoutes.updateTracking

/**
 * Requests a refresh or a tracking audit of a web.
 * @returns the inspection's id; null if the answer does not name it
 * @throws {ApiError}
 */
export async function requestInspection(route: Asking, web: number): Promise<number | null> {
  const { headers } = await exchange(route, { params: { id: web } })
  for (const stale of [queueRoutes.listJobs, inspectionRoutes.listWebFacts])
    void queryClient.invalidateQueries({ queryKey: keyOf(stale) })
  const id = /\/api\/inspections\/([1-9]\d*)$/.exec(headers.get('location') ?? '')?.[1]
  return id === undefined ? null : Number(id)
}
