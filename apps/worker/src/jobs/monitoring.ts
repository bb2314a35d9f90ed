import type { Context } from '@kustos/domain/context'
import { handle, type JobHandler } from '@kustos/domain/jobs'
import {
  judgeRound,
  type MonitoringSettings,
  openProbing,
  probeShard,
  probeWebs,
  purgeStatistics,
  rollUp,
  scheduleRound,
} from '@kustos/domain/monitoring'
import type { OutsideOfWorkers } from '@kustos/domain/outside'
import type { Duty } from '../worker.ts'

/** In one worker process. A shard with webs that never answer goes on beside several that begin after it. */
export const shardsAtOnce = 64

export function monitoringJobs(
  context: Context,
  { prober }: Pick<OutsideOfWorkers, 'prober'>,
  settings: MonitoringSettings,
): readonly JobHandler[] {
  const probing = openProbing(prober)
  return [handle(probeShard, (shard, signal) => probeWebs(context, probing, settings, shard, signal))]
}

export const monitoringDuties = (
  { deployments, alerts }: Pick<OutsideOfWorkers, 'deployments' | 'alerts'>,
  settings: MonitoringSettings,
): readonly Duty[] => [
  {
    name: 'begin a round of probes',
    every: 1_000,
    run: async (context) => {
      const round = await scheduleRound(context, deployments, settings)
      return round && { ...round }
    },
  },
  {
    name: 'judge a round of probes',
    every: 1_000,
    run: async (context) => {
      const judged = await judgeRound(context, alerts, settings)
      return judged && { ...judged }
    },
  },
  { name: 'roll up days', every: 5 * 60_000, run: rollUp },
  { name: 'remove statistics of old days', every: 3_600_000, run: purgeStatistics },
]
