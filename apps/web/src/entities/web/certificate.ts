import { certificateUrgency } from '@kustos/contract/certificates/lifetime'
import type { Tone } from '@kustos/contract/grid'

const dayMs = 24 * 3_600_000

const tones = { overdue: 'red', due: 'orange' } as const

/**
 * @param from ISO 8601; null if unknown
 * @param end ISO 8601
 * @returns the whole days left, negative once expired; the tone is null if nothing is to be done
 */
export function certificateLeft(
  from: string | null,
  end: string,
  now: Date,
): { days: number; tone: Tone | null } {
  const urgency = certificateUrgency(from === null ? null : new Date(from), new Date(end), now)
  return {
    days: Math.floor((Date.parse(end) - now.getTime()) / dayMs),
    tone: urgency && tones[urgency],
  }
}
