import type { Transaction } from '@kustos/database/client'
import { alertChannels, alerts } from '@kustos/database/tables'
import { and, eq, gte, or, sql } from 'drizzle-orm'
import type { Alert } from './delivery-stream.ts'
import { type AlertTarget, keyOfTarget, readTargets } from './targets.ts'
import type { AlertSettings } from './tools.ts'

/**
 * Writes what a channel has refused for good to the fallback channel, unless that one has the message already: it may be one of those
 * who got it, or another mailbox may have refused it. What the fallback channel refuses, too, goes nowhere else.
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
  const reached = new Set([alert, ...(await readSame(db, alert))].map(keyOfTarget))
  const targets = targetsOf({ channels: [], to: [fallback.id] }).filter(
    (target) => !reached.has(keyOfTarget(target)),
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

/** The alerts of the same message: those that were written with it, and copies of it for the fallback channel. */
const readSame = (db: Transaction, { content, incidents, created_at: at }: Alert): Promise<AlertTarget[]> =>
  db
    .select({ channel: alerts.channel, recipient: alerts.recipient, channel_id: alerts.channel_id })
    .from(alerts)
    .where(
      and(
        gte(alerts.created_at, at),
        sql`${alerts.content} ->> 'title' = ${content.title}`,
        sql`${alerts.incidents} = ${sql.param(incidents)}::int[]`,
        or(eq(alerts.created_at, at), sql`${alerts.content} ->> 'isFallback' = 'true'`),
      ),
    )
