import { purgeExpired } from '@kustos/domain/auth'
import { summariseFailedSignIns } from '@kustos/domain/logs'
import type { PeriodicTask } from '../periodic-tasks.ts'

export const authTasks: readonly PeriodicTask[] = [
  { name: 'purge-sessions', everyMs: 10 * 60_000, run: purgeExpired },
  { name: 'summarise-failed-sign-ins', everyMs: 10 * 60_000, run: summariseFailedSignIns },
]
