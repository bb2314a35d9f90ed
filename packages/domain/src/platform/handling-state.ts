import { type SQL, sql } from 'drizzle-orm'

const isSnoozedAt = (now: Date) => sql`h.snoozed_until > ${now.toISOString()}::timestamptz`

/**
 * Whether somebody has acknowledged an entry that needs attention, a condition on its row of `attention_handling` as `h`, which may
 * be missing. Acknowledging ends a snooze, so one that there is came later, and its end opens the entry again.
 */
export const isAcknowledgedAt = (now: Date): SQL =>
  sql`(h.acknowledged_at is not null and coalesce(${isSnoozedAt(now)}, true))`

/** Whether somebody has acknowledged or snoozed it, so that nobody else need be alerted, as `isAcknowledgedAt`. */
export const isHandledAt = (now: Date): SQL =>
  sql`coalesce(${isSnoozedAt(now)}, h.acknowledged_at is not null)`
