import { purgeExpired } from '@kustos/domain/auth'
import type { Duty } from '../worker.ts'

export const authDuties: readonly Duty[] = [
  { name: 'purge expired sessions and sign-in attempts', every: 10 * 60_000, run: purgeExpired },
]
