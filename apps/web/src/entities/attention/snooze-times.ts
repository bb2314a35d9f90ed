import { toLocal } from '../../ui/rome-input.ts'

export const snoozePresets = ['hour', 'tomorrow', 'monday', 'week'] as const
export type SnoozePreset = (typeof snoozePresets)[number]

const morning = '08:00'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The end of a snooze, for a datetime-local input in Europe/Rome. */
export function snoozeEnd(preset: SnoozePreset, now: Date): string {
  if (preset === 'hour')
    return toLocal(new Date(Math.ceil(now.getTime() / minuteMs) * minuteMs + 60 * minuteMs).toISOString())
  const today = new Date(toLocal(now.toISOString()).slice(0, 10))
  const days = preset === 'tomorrow' ? 1 : preset === 'week' ? 7 : ((7 - today.getUTCDay()) % 7) + 1
  return `${new Date(today.getTime() + days * dayMs).toISOString().slice(0, 10)}T${morning}`
}
