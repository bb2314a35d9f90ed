import { fromLocal, toLocal } from '../../ui/rome-input.ts'

const hourMs = 3_600_000

/**
 * The end of an override that lasts for some hours, for a datetime-local input.
 * @param from when it begins, as such an input has it; now if it is empty
 */
export const suggestEnd = (from: string, hours: number, now: number): string =>
  toLocal(new Date((Date.parse(fromLocal(from)) || now) + hours * hourMs).toISOString())
