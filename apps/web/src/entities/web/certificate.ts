import type { Tone } from '@kustos/contract/grid'

const dayMs = 24 * 3_600_000

/** Days left below which a certificate should have been renewed. */
const overdueDays = 14
/** Let's Encrypt clients renew 30 days before the expiry. */
const dueDays = 30

/**
 * @param end ISO 8601
 * @returns the whole days left, negative once expired; the tone is null if nothing is to be done
 */
export function certificateLeft(end: string, now: Date): { days: number; tone: Tone | null } {
  const days = Math.floor((Date.parse(end) - now.getTime()) / dayMs)
  return { days, tone: days < overdueDays ? 'red' : days < dueDays ? 'orange' : null }
}
