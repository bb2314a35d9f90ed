import { type SQL, sql } from 'drizzle-orm'

const hasSnooze = (now: Date) => sql`h.snoozed_until > ${now.toISOString()}::timestamptz`

/** Whether an entry that needs attention is snoozed, a condition on its row of `attention_handling` as `h`, which may be missing. */
export const isSnoozedAt = (now: Date): SQL => sql`coalesce(${hasSnooze(now)}, false)`

/**
 * Whether somebody has acknowledged it, as `isSnoozedAt`. Acknowledging ends a snooze, so an existing snooze came later, and its end
 * opens the entry again.
 */
export const isAcknowledgedAt = (now: Date): SQL =>
  sql`(h.acknowledged_at is not null and coalesce(${hasSnooze(now)}, true))`

/** Whether somebody has acknowledged or snoozed it, so that nobody else need be alerted, as `isSnoozedAt`. */
export const isHandledAt = (now: Date): SQL => sql`coalesce(${hasSnooze(now)}, h.acknowledged_at is not null)`
