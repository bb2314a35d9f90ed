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
import { dropOldRecords, printReport, printReportJob, purgeReportPdfs } from '@kustos/domain/reports'
import type { WorkerServices } from '@kustos/domain/services'
import { auditTracking } from '@kustos/domain/tracking'
import { scheduleRechecks } from '@kustos/domain/tracking-contracts'
import { refreshWeb } from '@kustos/domain/webs'
import type { PeriodicTask } from '../periodic-tasks.ts'

/**
 * @param revision of the program, for the records of audits
 * @param concurrency in one worker process: each inspection parses some megabytes, which delays probes in it
 */
export function inspectionWork(
  context: Context,
  services: Pick<WorkerServices, 'deployments' | 'refreshing' | 'pages' | 'browser' | 'dns' | 'alerts'>,
  concurrency: number,
  revision?: string,
): QueueWork {
  const { refreshing, pages, browser, dns, alerts } = services
  const inspectors: Inspectors = {
    onError: services.deployments.onError,
    refresh: (leased, webId, signal, requestedBy) =>
      refreshWeb(leased, refreshing, webId, { requestedBy, signal }),
    connection: (leased, nodeId, signal) =>
      testConnection(leased, { ...refreshing, runners: services.deployments.runners }, nodeId, signal),
    discovery: (leased, nodeId, signal) =>
      discoverWebs(leased, { ...refreshing, runners: services.deployments.runners }, nodeId, signal),
    tracking: (leased, webId, signal, requestedBy, id) =>
      auditTracking(leased, { pages, browser, dns, revision, alerts }, webId, signal, {
        id,
        isRequested: requestedBy !== null,
      }),
  }
  const inspect = createQueueWork(runInspection, concurrency, ({ inspection }, signal, requestId) =>
    executeInspection({ ...context, requestId }, inspectors, inspection, signal),
  )
  const print = createQueueWork(printReportJob, concurrency, ({ document }, signal) =>
    printReport(context, browser, document, signal),
  )
  return {
    ...inspect,
    run: (job, signal) => (job.name === printReportJob.name ? print : inspect).run(job, signal),
  }
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
  { name: 'purge-report-files', everyMs: 3_600_000, run: purgeReportPdfs },
  { name: 'drop-old-records', everyMs: 6 * 3_600_000, run: dropOldRecords },
]
