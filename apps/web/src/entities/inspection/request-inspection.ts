import { inspectionRoutes } from '@kustos/contract/inspections'
import { queueRoutes } from '@kustos/contract/queue'
import type { trackingRoutes } from '@kustos/contract/tracking'
import type { websRoutes } from '@kustos/contract/webs'
import { create } from '../../platform/query.ts'

/**
 * Requests a refresh or a tracking audit of a web.
 * @returns the inspection's id; null if the answer does not name it
 * @throws {ApiError}
 */
export const requestInspection = (
  route: typeof websRoutes.refreshWeb | typeof trackingRoutes.updateTracking,
  web: number,
) => create(route, { params: { id: web } }, [queueRoutes.listJobs, inspectionRoutes.listWebFacts])
