import { z } from 'zod'
import { gridLanguages } from '../grid/columns.ts'
import { issue } from '../messages/message.ts'
import { baseVersion, id, text, timestamp, visibleName } from '../text.ts'
import { listNames } from './lists.ts'
import { deliveries } from './notifications.ts'

/** `role` for the members of `role_id`. */
export const audiences = ['private', 'role', 'everyone'] as const
export type Audience = (typeof audiences)[number]

/** Of one owner. Everybody who sees a view loads it with each screen that has views. */
export const maxViews = 200

/** More than any list has. */
const maxColumns = 200
const columnKey = z.string().regex(/^[a-z0-9_]{1,64}$/, issue('column_unknown'))
/** Pixels. */
const width = z
  .int()
  .min(56, issue('at_least', { min: 56 }))
  .max(800, issue('at_most', { max: 800 }))

const columnOrder = z.array(columnKey).max(maxColumns, issue('at_most', { max: maxColumns }))
const widths = z
  .record(columnKey, width)
  .refine((record) => Object.keys(record).length <= maxColumns, issue('at_most', { max: maxColumns }))

/** Of a query that users save. Names that replace those in its filters may make it longer. */
export const maxQueryLength = 8000

/** What a view shows. */
const shown = {
  /** The list's query string: search, filters, sort, page size and column sets, as in its address, without `?`. */
  query: text(maxQueryLength),
  /** The order of the columns; those that it does not name keep their place. */
  column_order: columnOrder,
  /** By column, in pixels; others have their usual width. */
  column_widths: widths,
}

/** A list's filters, columns, order and page size under a name. */
export const view = z
  .object({
    id,
    list: z.enum(listNames),
    name: z.string(),
    query: z.string(),
    column_order: z.array(z.string()),
    column_widths: z.record(z.string(), z.number()),
    audience: z.enum(audiences),
    role: z.object({ id, name: z.string() }).nullable(),
    owner: z.object({ id, name: z.string() }),
    /** Whether the caller may change and delete it. */
    is_editable: z.boolean(),
    /** Whether the caller's sidebar shows it. */
    is_pinned: z.boolean(),
    /** Whether the caller's list opens with it. */
    is_default: z.boolean(),
    /** How the caller is notified of rows that enter it. */
    notifications: z.enum(deliveries),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'View' })
export type View = z.output<typeof view>

const editable = {
  name: visibleName(80),
  ...shown,
  audience: z.enum(audiences),
  /** For the audience `role` only. */
  role_id: id.nullable(),
}

const hasRole = ({ audience, role_id }: { audience: Audience; role_id: number | null }) =>
  audience !== 'role' || role_id !== null
const roleMissing = { path: ['role_id'], error: issue('view_role_required') }

export const newView = z
  .object({ list: z.enum(listNames), ...editable })
  .refine(hasRole, roleMissing)
  .meta({ id: 'NewView' })
export type NewView = z.output<typeof newView>

export const viewChange = z
  .object({
    ...editable,
    /** One that stays as it is may be longer than `maxQueryLength`. */
    query: text(200_000),
    ...baseVersion,
  })
  .refine(hasRole, roleMissing)
  .meta({ id: 'ViewChange' })
export type ViewChange = z.output<typeof viewChange>

export const viewPreference = z
  .object({ is_pinned: z.boolean(), is_default: z.boolean() })
  .meta({ id: 'ViewPreference' })
export type ViewPreference = z.output<typeof viewPreference>

export const viewNotifications = z
  .object({
    delivery: z.enum(deliveries),
    /** Searches find labels, so rows depend on the language. */
    language: z.enum(gridLanguages).default('en'),
  })
  .meta({ id: 'ViewNotifications' })
export type ViewNotifications = z.output<typeof viewNotifications>
