import { defaultWave, waveLimits } from '@kustos/contract/batches'
import { isRecord, recall, remember } from '../../platform/storage.ts'

/** How a batch runs after its first web: how many webs at a time, and the percentage of failures above which it stops. */
export interface Wave {
  readonly parallel: number
  readonly stop_above: number
}

// Each user of a browser has their own.
const keyOf = (user: number) => `kustos.wave.${user}`

const isWithin = (value: unknown, { min, max }: { readonly min: number; readonly max: number }) =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max

/** As the user last chose it in this browser. */
export function recallWave(user: number): Wave {
  const stored = recall(keyOf(user))
  if (!isRecord(stored)) return defaultWave
  const { parallel, stop_above } = stored
  return isWithin(parallel, waveLimits.parallel) && isWithin(stop_above, waveLimits.stop_above)
    ? { parallel: Number(parallel), stop_above: Number(stop_above) }
    : defaultWave
}

export const rememberWave = (user: number, wave: Wave): void => remember(keyOf(user), wave)
