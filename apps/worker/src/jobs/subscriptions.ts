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
    run: (context, signal) => notifySubscribers({ ...context, mail }, settings, signal),
  },
]
