import type { LogEntry } from '@kustos/contract/logs'

interface NewEntries {
  /** New entries, newest first. */
  readonly fresh: readonly LogEntry[]
  /** Whether there may be entries between the newest page and the kept ones. */
  readonly isGap: boolean
}

/**
 * Finds the entries of the newest page that are not kept yet, by id. Entries never change, and their times are not unique.
 */
export function findNewEntries(newest: readonly LogEntry[], kept: readonly LogEntry[]): NewEntries {
  const known = new Set(kept.map(({ id }) => id))
  const fresh = newest.filter(({ id }) => !known.has(id))
  return { fresh, isGap: kept.length > 0 && newest.length > 0 && fresh.length === newest.length }
}
