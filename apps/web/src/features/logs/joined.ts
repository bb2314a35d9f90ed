import type { LogEntry } from '@kustos/contract/logs'

interface Joined {
  /** What has come since, newest first. */
  readonly fresh: readonly LogEntry[]
  /** Whether so much has come that the newest page does not reach down to what is kept. */
  readonly isGap: boolean
}

/**
 * What the newest page has beyond entries that are kept, by their ids: entries never change, and their times alone do not
 * tell them apart.
 */
export function joined(newest: readonly LogEntry[], kept: readonly LogEntry[]): Joined {
  const known = new Set(kept.map(({ id }) => id))
  const fresh = newest.filter(({ id }) => !known.has(id))
  return { fresh, isGap: kept.length > 0 && newest.length > 0 && fresh.length === newest.length }
}
