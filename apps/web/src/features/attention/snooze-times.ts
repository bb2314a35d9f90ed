export const snoozePresets = ['hour', 'tomorrow', 'monday', 'week'] as const
export type SnoozePreset = (typeof snoozePresets)[number]

const morningHour = 8
const minuteMs = 60_000

/** The end of a snooze, in the browser's time zone. */
export function snoozeEnd(preset: SnoozePreset, now: Date): Date {
  if (preset === 'hour') return new Date(Math.ceil(now.getTime() / minuteMs) * minuteMs + 60 * minuteMs)
  const days = preset === 'tomorrow' ? 1 : preset === 'week' ? 7 : ((7 - now.getDay()) % 7) + 1
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morningHour)
}

const two = (value: number) => String(value).padStart(2, '0')

/** The value of an input for a local date and time. */
export const toLocalInput = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`

/** The inverse of `toLocalInput`, as ISO 8601 in UTC; other texts stay as they are, for the form to reject them. */
export function fromLocalInput(value: string): string {
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? value : at.toISOString()
}
