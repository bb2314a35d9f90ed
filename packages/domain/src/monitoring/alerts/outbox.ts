import { monitoringRoutes } from '@kustos/contract/monitoring'
import type { Transaction } from '@kustos/database/client'
import { alerts } from '@kustos/database/tables'
import type { RoutedTargets } from '../../alert-routes/index.ts'
import { chunk } from '../../platform/chunk.ts'
import { listPermittedUsers } from '../../users/index.ts'
import { compose, composeReminders } from './compose.ts'
import { composeEscalations } from './compose-escalation.ts'
import type { IncidentOpened, RoundNotifications } from './event.ts'
import type { ComposedAlert } from './message-parts.ts'
import { addReminded } from './reminded.ts'
import { routeNews } from './routing.ts'
import { readTargets } from './targets.ts'
import type { AlertSettings } from './tools.ts'

/** Of a statement, whose parameters are limited. */
const maxRows = 1_000
/**
 * Incidents and warnings in the rows of a statement. Each row repeats those of its message, and all of a statement are in memory at the
 * same time: a worker must not run out of it when ten thousand webs fail and a hundred users are told.
 */
const maxEntries = 20_000
const lengthOf = (event: ComposedAlert['event'] | null): number =>
  event === null || event === undefined ? 0 : event.incidents.length + (event.warnings?.length ?? 0)

/** Writes a row for each message and each of those who get it. @returns their ids, in the order of the messages */
export async function writeAlerts(
  db: Transaction,
  messages: readonly ComposedAlert[],
  settings: AlertSettings,
  now: Date,
): Promise<readonly number[]> {
  if (messages.length === 0) return []
  const subscribers = settings.channels.mail === null ? [] : await listSubscribers(db)
  const emails = subscribers.toSorted((one, other) => one.id - other.id).map(({ email }) => email)
  const targetsOf = await readTargets(db, settings, emails)
  const rows = messages.flatMap(({ content, incidents = [], event = null, ...message }) =>
    targetsOf(message).map((target) => ({
      ...target,
      content,
      created_at: now,
      incidents: [...incidents],
      // Channels of the configuration take texts only, but the fallback channel may get what they refuse.
      event,
    })),
  )
  const ids: number[] = []
  const longest = rows.reduce((most, { event }) => Math.max(most, lengthOf(event)), 1)
  for (const batch of chunk(rows, Math.min(maxRows, Math.ceil(maxEntries / longest)))) {
    const written = await db.insert(alerts).values(batch).returning({ id: alerts.id })
    ids.push(...written.map((row) => row.id))
  }
  return ids
}

/**
 * Writes the messages of a round to the webs' channels, and by mail to the subscribers. Has to be called in the transaction
 * that evaluates the round, so that each message is written once.
 * @returns the ids of the alerts, to be enqueued (`enqueueAlerts`) after the commit
 */
export const announce = async (
  db: Transaction,
  news: RoundNotifications,
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<readonly number[]> =>
  writeAlerts(db, compose(await routeNews(db, news, settings, now), settings.publicUrl), settings, now)

/** Writes reminders of incidents that last. @returns the ids of the alerts, as `announce` does */
export const writeReminders = async (
  db: Transaction,
  open: readonly IncidentOpened[],
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<readonly number[]> =>
  writeAlerts(db, composeReminders(await addReminded(db, open, now), now, settings.publicUrl), settings, now)

/** Writes that nobody has acknowledged incidents, to those alone whom a step of a route alerts. @returns the ids of the alerts */
export const writeEscalations = (
  db: Transaction,
  open: readonly IncidentOpened[],
  targets: RoutedTargets,
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<readonly number[]> =>
  writeAlerts(db, composeEscalations(open, targets, now, settings.publicUrl), settings, now)

/** The users who subscribed to monitoring's mails and may see incidents. */
export async function listSubscribers(db: Transaction) {
  const permitted = await listPermittedUsers(db, monitoringRoutes.listIncidents.access.any)
  return permitted.filter(({ isSubscribed }) => isSubscribed)
}
