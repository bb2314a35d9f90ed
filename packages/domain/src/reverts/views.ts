import { formatTime } from '@kustos/contract/grid'
import type { CurrentUser } from '@kustos/contract/users'
import { type View, viewChange, viewNotifications, viewPreference } from '@kustos/contract/views'
import { logEntries, roles, viewSubscriptions, views } from '@kustos/database/tables'
import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import { type Context, requireActor } from '../platform/context.ts'
import { conflict } from '../platform/errors.ts'
import { type LoggedChange, parseLogged, rejectOutdatedRevert } from '../platform/logged-change.ts'
import { editViewNotifications } from '../subscriptions/index.ts'
import { editView, editViewPreference, listWidths, loggedView, readView } from '../views/index.ts'
import { finderOf } from './find-by-name.ts'

export async function revertView(context: Context, id: number, logged: LoggedChange): Promise<void> {
  const made = {
    ...logged,
    old: withListedWidths(logged.old),
    attributes: withListedWidths(logged.attributes),
  }
  const view = await readView(context.db, requireActor(context), id)
  await rejectOutdatedRevert(context, { type: 'view', id }, loggedView(view), made)
  const { role = view.role?.name ?? null, column_widths: widths, ...old } = made.old
  const existing = await context.db.select({ id: roles.id, name: roles.name }).from(roles)
  const role_id = role === null ? null : finderOf(existing, 'role_gone')(String(role))
  const column_widths = widths === undefined ? view.column_widths : readWidths(widths)
  await editView(context, id, parseLogged(viewChange, { ...view, ...old, column_widths, role_id }))
}

type Logged = LoggedChange['old']

/** Entries of earlier releases have the widths by column. */
const withListedWidths = ({ column_widths: widths, ...rest }: Logged): Logged => ({
  ...rest,
  ...(widths !== undefined && {
    column_widths: Array.isArray(widths) ? widths : listWidths(widths as View['column_widths']),
  }),
})

/** The widths by column, of which the log has a list. */
const readWidths = (listed: unknown) =>
  Object.fromEntries(
    (listed as readonly string[])
      .map((text) => text.split('='))
      .map(([column, width]) => [column, Number(width)]),
  )

/** What the acting user had chosen for a view. */
export async function revertPreference(context: Context, id: number, made: LoggedChange): Promise<void> {
  const actor = requireActor(context)
  const view = await readView(context.db, actor, id)
  await rejectOutdatedPreference(context, actor, view, made)
  if (!('notifications' in made.old))
    return editViewPreference(context, id, parseLogged(viewPreference, { ...view, ...made.old }))
  const [subscription] = await context.db
    .select({ language: viewSubscriptions.language })
    .from(viewSubscriptions)
    .where(and(eq(viewSubscriptions.user_id, actor.id), eq(viewSubscriptions.view_id, id)))
  const input = { ...subscription, ...made.old, delivery: made.old.notifications }
  await editViewNotifications(context, id, parseLogged(viewNotifications, input))
}

/**
 * As `rejectOutdatedRevert`, but what others have chosen for the view does not count. That another view has become the default of
 * the list changes the default, too.
 */
async function rejectOutdatedPreference(
  { db }: Context,
  { id: user, email }: CurrentUser,
  view: View,
  { id, old, attributes }: LoggedChange,
): Promise<void> {
  const ofList = db.select({ id: views.id }).from(views).where(eq(views.list, view.list))
  const later = await db
    .select({ at: logEntries.created_at, view: logEntries.subject_id, properties: logEntries.properties })
    .from(logEntries)
    .where(
      and(
        gt(logEntries.id, id),
        eq(logEntries.subject_type, 'view'),
        inArray(logEntries.subject_id, ofList),
        eq(logEntries.description, 'preference changed'),
        eq(logEntries.causer_id, user),
      ),
    )
    .orderBy(desc(logEntries.id))
  const current: Readonly<Record<string, unknown>> = view
  // The language goes with the notifications.
  const touchedBy = Object.keys(old)
    .filter((field) => field !== 'language')
    .map((field) => ({
      field,
      entry: later.find(({ view: of, properties: { old: before = {}, attributes: after = {} } }) =>
        of === view.id ? field in before : field === 'is_default' && after.is_default === true,
      ),
    }))
    .filter(({ field, entry }) => entry !== undefined || current[field] !== attributes[field])
  if (touchedBy.length === 0) return
  const [last] = touchedBy
    .flatMap(({ entry }) => entry?.at ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime())
  throw conflict('change_outdated', {
    who: email,
    at: last === undefined ? '–' : formatTime(last.toISOString()),
    fields: touchedBy.map(({ field }) => field).join(', '),
  })
}
