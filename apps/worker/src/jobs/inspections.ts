import {
  executeInspection,
  type Inspectors,
  purgeInspections,
  runInspection,
  scheduleAudits,
  scheduleRefreshes,
  sweepInspections,
} from '@kustos/domain/inspections'
import type { MonitoringSettings } from '@kustos/domain/monitoring'
import { discoverWebs, scheduleDiscoveries, testConnection } from '@kustos/domain/nodes'
import type { Context } from '@kustos/domain/platform/context'
import { createQueueWork, type QueueWork } from '@kustos/domain/platform/jobs'
import type { WorkerServices } from '@kustos/domain/services'
import { auditTracking } from '@kustos/domain/tracking'
import { scheduleRechecks } from '@kustos/domain/tracking-contracts'
import { refreshWeb } from '@kustos/domain/webs'
import type { PeriodicTask } from '../periodic-tasks.ts'

/** @param concurrency in one worker process: each inspection parses some megabytes, which delays probes in it */
export function inspectionWork(
  context: Context,
  services: Pick<WorkerServices, 'deployments' | 'refreshing' | 'pages' | 'browser' | 'alerts'>,
  concurrency: number,
): QueueWork {
  const { refreshing, pages, browser, alerts } = services
  const inspectors: Inspectors = {
    onError: services.deployments.onError,
    refresh: (leased, webId, signal, requestedBy) =>
      refreshWeb(leased, refreshing, webId, { requestedBy, signal }),
    connection: (leased, nodeId, signal) =>
      testConnection(leased, { ...refreshing, runners: services.deployments.runners }, nodeId, signal),
    discovery: (leased, nodeId, signal) =>
      discoverWebs(leased, { ...refreshing, runners: services.deployments.runners }, nodeId, signal),
    tracking: (leased, webId, signal) => auditTracking(leased, { pages, browser, alerts }, webId, signal),
  }
  return createQueueWork(runInspection, concurrency, ({ inspection }, signal, requestId) =>
    executeInspection({ ...context, requestId }, inspectors, inspection, signal),
  )
}

export const inspectionTasks = (
  { deployments: tools }: Pick<WorkerServices, 'deployments'>,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
): readonly PeriodicTask[] => [
  {
    name: 'schedule-tracking-audits',
    everyMs: 60_000,
    run: (context) => scheduleAudits(context, tools, internalMarker),
  },
  {
    name: 'schedule-drift-confirmations',
    everyMs: 60_000,
    run: (context) => scheduleRechecks(context, tools),
  },
  {
    name: 'schedule-refreshes',
    everyMs: 60_000,
    run: (context) => scheduleRefreshes(context, tools),
  },
  {
    name: 'schedule-discoveries',
    everyMs: 600_000,
    run: (context) => scheduleDiscoveries(context, tools),
  },
  {
    name: 'enqueue-lost-inspections',
    everyMs: 15_000,
    run: (context) => sweepInspections(context, tools),
  },
  { name: 'purge-inspections', everyMs: 6 * 3_600_000, run: purgeInspections },
]
