import { incidents } from '@kustos/database/tables'
import { and, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type AlertTools, enqueueAlerts, writeReminders } from './alerts/index.ts'
import { isNotMuted } from './muting.ts'
import { presentOpened, readIncidents } from './read-incidents.ts'

/** Milliseconds between two messages about an incident that lasts; null for a single one. */
export const reminderIntervals = {
  never: null,
  '1h': 3_600_000,
  '4h': 4 * 3_600_000,
  daily: 24 * 3_600_000,
} as const
export type Reminders = keyof typeof reminderIntervals

/** Alerts again of incidents that were announced and still last. */
export async function remindOfIncidents(
  context: Context,
  tools: AlertTools,
  reminders: Reminders,
): Promise<{ readonly reminded: number } | null> {
  const intervalMs = reminderIntervals[reminders]
  if (intervalMs === null) return null
  const now = context.now()
  const { reminded, ids } = await context.db.transaction(async (tx) => {
    await lockInTransaction(tx, 'judgement')
    const due = await readIncidents(
      tx,
      and(
        isNull(incidents.ended_at),
        isNotNull(incidents.alerted_at),
        lte(
          // Whichever is later: Postgres ignores nulls.
          sql`greatest(${incidents.reminded_at}, ${incidents.alerted_at})`,
          new Date(now.getTime() - intervalMs).toISOString(),
        ),
        isNotMuted(tx, now),
      ),
    )
    if (due.length === 0) return { reminded: 0, ids: [] }
    await tx
      .update(incidents)
      .set({ reminded_at: now })
      .where(
        isAnyOf(
          incidents.id,
          due.map(({ incident }) => incident.id),
        ),
      )
    return { reminded: due.length, ids: await writeReminders(tx, due.map(presentOpened), { ...tools, now }) }
  })
  await enqueueAlerts(tools, ids)
  return reminded === 0 ? null : { reminded }
}
