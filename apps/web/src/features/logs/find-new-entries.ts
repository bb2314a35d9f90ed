import type { LogEntry } from '@kustos/contract/logs'

/**
 * Finds the entries of the newest page that are not kept yet, by id. Entries never change, and their times are not unique.
 * @returns the new entries, newest first, and whether there may be entries between the newest page and the kept ones
 */
export function findNewEntries(newest: readonly LogEntry[], kept: readonly LogEntry[]) {
  const known = new Set(kept.map(({ id }) => id))
  const fresh = newest.filter(({ id }) => !known.has(id))
  return { fresh, isGap: kept.length > 0 && newest.length > 0 && fresh.length === newest.length }
}
