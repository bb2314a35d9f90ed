import { makeLogPartitions, sealLog } from '@kustos/domain/logs'
import type { PeriodicTask } from '../periodic-tasks.ts'

export const logTasks: readonly PeriodicTask[] = [
  { name: 'make-log-partitions', everyMs: 3_600_000, run: makeLogPartitions },
  { name: 'seal-log-entries', everyMs: 10_000, run: sealLog },
]
