/**
 * When people are told that a certificate ends: this many days before, but not before this share of its lifetime is left.
 * Programs renew with a third of it left, so that six-day certificates are not announced every other day.
 */
export const endingStages = [
  { days: 14, share: 1 / 4 },
  { days: 7, share: 1 / 9 },
  { days: 1, share: 1 / 27 },
  { days: 0, share: 0 },
] as const

const dayMs = 86_400_000

/**
 * Returns how long before the end of a certificate a stage begins.
 * @param lifetimeMs null if unknown
 */
export const stageMs = (
  { days, share }: { readonly days: number; readonly share: number },
  lifetimeMs: number | null,
): number => Math.min(days * dayMs, share * (lifetimeMs ?? Number.POSITIVE_INFINITY) || 0)

/** When a certificate of unknown lifetime, or of a usual one, should have been renewed. */
const renewal = { days: 30, share: 1 / 3 }

/**
 * Returns how urgent it is to renew a certificate.
 * @param from null if unknown
 */
export function certificateUrgency(from: Date | null, end: Date, now: Date): 'overdue' | 'due' | null {
  const left = end.getTime() - now.getTime()
  const lifetime = from === null ? null : end.getTime() - from.getTime()
  if (left < stageMs(endingStages[0], lifetime)) return 'overdue'
  return left < stageMs(renewal, lifetime) ? 'due' : null
}
