import type { Context } from '@kustos/domain/context'
import {
  executeInspection,
  type Inspectors,
  purgeInspections,
  runInspection,
  scheduleAudits,
  scheduleRefreshes,
  sweepInspections,
} from '@kustos/domain/inspections'
import { handle, type JobHandler } from '@kustos/domain/jobs'
import type { MonitoringSettings } from '@kustos/domain/monitoring'
import type { OutsideOfWorkers } from '@kustos/domain/outside'
import { auditTracking } from '@kustos/domain/tracking'
import { refreshWeb } from '@kustos/domain/webs'
import type { Duty } from '../worker.ts'

/** In one worker process. They read and take apart some megabytes each, which probes beside them must not feel. */
export const inspectionsAtOnce = 4

export function inspectionJobs(
  context: Context,
  { refreshing, pages, browser }: Pick<OutsideOfWorkers, 'refreshing' | 'pages' | 'browser'>,
): readonly JobHandler[] {
  const inspectors: Inspectors = {
    refresh: (inside, webId, signal, requestedBy) =>
      refreshWeb(inside, refreshing, webId, { requestedBy, signal }),
    tracking: (inside, webId, signal) => auditTracking(inside, { pages, browser }, webId, signal),
  }
  return [
    handle(runInspection, ({ inspection }, signal) =>
      executeInspection(context, inspectors, inspection, signal),
    ),
  ]
}

export const inspectionDuties = (
  { deployments: tools }: Pick<OutsideOfWorkers, 'deployments'>,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
): readonly Duty[] => [
  {
    name: 'ask for daily tracking audits',
    every: 60_000,
    run: (context) => scheduleAudits(context, tools, internalMarker),
  },
  {
    name: 'ask for nightly refreshes',
    every: 60_000,
    run: (context) => scheduleRefreshes(context, tools),
  },
  {
    name: 'hand over inspections that lost their job',
    every: 15_000,
    run: (context) => sweepInspections(context, tools),
  },
  { name: 'remove old inspections', every: 6 * 3_600_000, run: purgeInspections },
]
