import { extendOccurrences, noticeOccurrences } from '@kustos/domain/maintenance'
import type { PeriodicTask } from '../periodic-tasks.ts'

export const maintenanceTasks: readonly PeriodicTask[] = [
  { name: 'notice-maintenance', everyMs: 5_000, run: noticeOccurrences },
  { name: 'extend-maintenance', everyMs: 3_600_000, run: extendOccurrences },
]
