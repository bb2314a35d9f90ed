import type { Tone } from '@kustos/contract/grid'

const day = 24 * 3_600_000

/** A certificate that ends within this many days should have been renewed by now. */
const late = 14
/** Let's Encrypt's clients renew 30 days before the end. */
const due = 30

/**
 * How long a certificate lasts.
 * @param end an ISO 8601 time
 * @returns the whole days left, negative once it has ended; the tone is null where nothing is to be done
 */
export function certificateLeft(end: string, now: Date): { days: number; tone: Tone | null } {
  const days = Math.floor((Date.parse(end) - now.getTime()) / day)
  return { days, tone: days < late ? 'red' : days < due ? 'orange' : null }
}
