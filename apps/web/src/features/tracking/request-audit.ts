import { inspectionRoutes } from '@kustos/contract/inspections'
import { queueRoutes } from '@kustos/contract/queue'
import { trackingRoutes } from '@kustos/contract/tracking'
import { exchange } from '../../app/client.ts'
import { keyOf, queryClient } from '../../app/query.ts'

/**
 * Asks for a tracking audit of a web.
 * @returns the inspection's id; null where the answer does not name it
 * @throws {ApiError}
 */
export async function requestAudit(web: number): Promise<number | null> {
  const { headers } = await exchange(trackingRoutes.updateTracking, { params: { id: web } })
  for (const stale of [queueRoutes.listJobs, inspectionRoutes.listWebFacts])
    void queryClient.invalidateQueries({ queryKey: keyOf(stale) })
  return inspectionIn(headers.get('location'))
}

/** The inspection that a Location header names. */
export function inspectionIn(location: string | null): number | null {
  const id = /\/api\/inspections\/([1-9]\d*)$/.exec(location ?? '')?.[1]
  return id === undefined ? null : Number(id)
}
