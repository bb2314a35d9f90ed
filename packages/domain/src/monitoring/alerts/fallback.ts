import type { Transaction } from '@kustos/database/client'
import { alertChannels, alerts } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Alert } from './delivery-stream.ts'
import { keyOfTarget, readTargets } from './targets.ts'
import type { AlertSettings } from './tools.ts'

/**
 * Writes what a channel has refused for good to the fallback channel, once: what that one refuses, too, goes nowhere else.
 * @param name of the channel that has refused it
 * @returns the ids of the new alerts, to be enqueued after the commit
 */
export async function writeFallback(
  db: Transaction,
  alert: Alert,
  { name, error }: { readonly name: string; readonly error: string },
  settings: AlertSettings,
  now: Date,
): Promise<readonly number[]> {
  const { content, incidents, event } = alert
  // Mails to users about their accounts are for nobody else.
  if (incidents === null || content.isFallback) return []
  const [fallback] = await db
    .select({ id: alertChannels.id })
    .from(alertChannels)
    .where(eq(alertChannels.fallback, true))
  if (fallback === undefined) return []
  const targetsOf = await readTargets(db, settings, [])
  const targets = targetsOf({ channels: [], to: [fallback.id] }).filter(
    (target) => keyOfTarget(target) !== keyOfTarget(alert),
  )
  if (targets.length === 0) return []
  const lines = [...content.lines, `${name} did not accept this message: ${error}`]
  const rows = targets.map((target) => ({
    ...target,
    content: { ...content, lines, isFallback: true as const },
    created_at: now,
    incidents,
    event,
  }))
  const written = await db.insert(alerts).values(rows).returning({ id: alerts.id })
  return written.map(({ id }) => id)
}
