import {
  checkCertificates,
  enqueueAnnouncement,
  evaluateRound,
  type MonitoringSettings,
  openProbing,
  packStatistics,
  probeShard,
  probeWebs,
  purgeStatistics,
  rollUp,
  scheduleRound,
} from '@kustos/domain/monitoring'
import type { Context } from '@kustos/domain/platform/context'
import { createQueueWork, type QueueWork } from '@kustos/domain/platform/jobs'
import type { WorkerServices } from '@kustos/domain/services'
import type { PeriodicTask } from '../periodic-tasks.ts'

/** In one worker process. A shard with webs that never answer overlaps several later ones. */
const concurrency = 64

export function monitoringWork(
  context: Context,
  {
    prober,
    controls,
    alerts,
    deployments,
  }: Pick<WorkerServices, 'prober' | 'controls' | 'alerts' | 'deployments'>,
  settings: MonitoringSettings,
): QueueWork {
  const probing = openProbing(prober, {
    controls,
    secretBox: deployments.secretBox,
    onOpened: () => void enqueueAnnouncement(alerts, context.now()),
  })
  return createQueueWork(probeShard, concurrency, (shard, signal) =>
    probeWebs(context, probing, settings, shard, signal),
  )
}

export const monitoringTasks = (
  {
    deployments,
    alerts,
    heartbeat,
    nameChecker,
  }: Pick<WorkerServices, 'deployments' | 'alerts' | 'heartbeat' | 'nameChecker'>,
  settings: MonitoringSettings,
): readonly PeriodicTask[] => [
  {
    name: 'begin-probe-round',
    everyMs: 1_000,
    run: (context) => scheduleRound(context, deployments, settings),
  },
  {
    name: 'evaluate-probe-round',
    everyMs: 1_000,
    run: (context) => evaluateRound(context, alerts, settings, heartbeat),
  },
  {
    name: 'check-certificates',
    everyMs: 15_000,
    run: (context, signal) => checkCertificates(context, nameChecker, settings, signal),
  },
  { name: 'roll-up-statistics', everyMs: 5 * 60_000, run: rollUp },
  { name: 'pack-statistics', everyMs: 3_600_000, run: packStatistics },
  { name: 'purge-statistics', everyMs: 3_600_000, run: purgeStatistics },
]
