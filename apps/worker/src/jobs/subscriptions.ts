import type { MonitoringSettings } from '@kustos/domain/monitoring'
import type { WorkerServices } from '@kustos/domain/services'
import { notifySubscribers } from '@kustos/domain/subscriptions'
import type { PeriodicTask } from '../periodic-tasks.ts'

export const subscriptionTasks = (
  { mail }: Pick<WorkerServices, 'mail'>,
  settings: MonitoringSettings,
): readonly PeriodicTask[] => [
  {
    name: 'notify-of-views',
    everyMs: 60_000,
    async run(context, signal) {
      const report = await notifySubscribers({ ...context, mail }, settings, signal)
      return report !== null && report.entries + report.failed > 0 ? report : null
    },
  },
]
