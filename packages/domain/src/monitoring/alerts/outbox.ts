import { monitoringRoutes } from '@kustos/contract/monitoring'
import { adminRole } from '@kustos/contract/permissions'
import type { Transaction } from '@kustos/database/client'
import { alerts, rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { and, eq, exists, inArray, isNull, or } from 'drizzle-orm'
import type { RoutedTargets } from '../../alert-routes/index.ts'
import { chunk } from '../../platform/chunk.ts'
import { compose, composeReminders } from './compose.ts'
import { composeEscalation } from './compose-escalation.ts'
import type { IncidentOpened, RoundNotifications } from './event.ts'
import type { ComposedAlert } from './message-parts.ts'
import { addTold, routeNews } from './routing.ts'
import { readTargets } from './targets.ts'
import type { AlertSettings } from './tools.ts'

/** Writes a row for each message and each of those who get it. @returns their ids, in the order of the messages */
export async function writeAlerts(
  db: Transaction,
  messages: readonly ComposedAlert[],
  settings: AlertSettings,
  now: Date,
): Promise<readonly number[]> {
  if (messages.length === 0) return []
  const subscribed = settings.channels.mail === null ? [] : await subscribers(db)
  const targetsOf = await readTargets(db, settings, subscribed)
  const rows = messages.flatMap(({ content, incidents = [], event = null, ...message }) =>
    targetsOf(message).map((target) => ({
      ...target,
      content,
      created_at: now,
      incidents: [...incidents],
      // The channels of the configuration take texts only.
      event: target.channel_id === null ? null : event,
    })),
  )
  const ids: number[] = []
  for (const batch of chunk(rows)) {
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
  writeAlerts(db, compose(await routeNews(db, news, now), settings.publicUrl), settings, now)

/** Writes reminders of incidents that last. @returns the ids of the alerts, as `announce` does */
export const writeReminders = async (
  db: Transaction,
  open: readonly IncidentOpened[],
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<readonly number[]> =>
  writeAlerts(db, composeReminders(await addTold(db, open), now, settings.publicUrl), settings, now)

/** Writes that nobody has acknowledged incidents, to those alone whom a step of a route alerts. @returns the ids of the alerts */
export const writeEscalation = (
  db: Transaction,
  open: readonly IncidentOpened[],
  targets: RoutedTargets,
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<readonly number[]> =>
  writeAlerts(db, [composeEscalation(open, targets, now, settings.publicUrl)], settings, now)

const needed = monitoringRoutes.listIncidents.access.any

/** Addresses of the users who subscribed to monitoring's mails and may see incidents. */
async function subscribers(db: Transaction): Promise<readonly string[]> {
  const permitted = db
    .select({ id: userRoles.user_id })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .leftJoin(rolePermissions, eq(rolePermissions.role_id, roles.id))
    .where(
      and(
        eq(userRoles.user_id, users.id),
        or(eq(roles.name, adminRole), inArray(rolePermissions.permission, needed)),
      ),
    )
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.monitoring_mail_subscription, true), isNull(users.deleted_at), exists(permitted)))
    .orderBy(users.id)
  return rows.map((row) => row.email)
}
