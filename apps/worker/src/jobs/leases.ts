import { purgeLeases } from '@kustos/domain/platform/lease'
import type { PeriodicTask } from '../periodic-tasks.ts'

export const leaseTasks: readonly PeriodicTask[] = [
  { name: 'purge-leases', everyMs: 6 * 3_600_000, run: purgeLeases },
]
