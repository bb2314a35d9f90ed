import { advanceBatches } from '@kustos/domain/batches'
import type { WorkerServices } from '@kustos/domain/services'
import type { PeriodicTask } from '../periodic-tasks.ts'

export const batchTasks = ({
  deployments,
  mail,
}: Pick<WorkerServices, 'deployments' | 'mail'>): readonly PeriodicTask[] => [
  {
    name: 'advance-batches',
    everyMs: 1_000,
    run: (context, signal) => advanceBatches({ ...context, mail }, deployments, signal),
  },
]
