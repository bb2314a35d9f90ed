import type { GridLanguage } from '@kustos/contract/grid'
import type { Delivery } from '@kustos/contract/views'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, timestamptz } from './columns.ts'
import { users } from './users.ts'
import { views } from './views.ts'

/** The rows of a view as they were last determined, for all subscribers who may see the same rows of its list. */
export const viewEvaluations = pgTable(
  'view_evaluations',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    view_id: cascadingReferenceTo(() => views.id),
    /** Which rows of the list these users may see. */
    scope: text().notNull(),
    /** Empty if the rows do not depend on it. */
    language: text().notNull(),
    /** The part of the view's query that determines its rows. Another one begins anew. */
    filter: text().notNull(),
    /** Of the keys of its rows; null if they could not be determined yet. */
    digest: text(),
    /** When a row last entered. */
    entered_at: timestamptz(),
    /** After a filter that took too long. */
    retry_at: timestamptz(),
  },
  (table) => [unique('view_evaluations_of_view').on(table.view_id, table.scope, table.language)],
)

/** The rows of an evaluation, and those that have left it but entered recently. */
export const viewRows = pgTable(
  'view_rows',
  {
    evaluation_id: cascadingReferenceTo(() => viewEvaluations.id),
    row_key: text().notNull(),
    /** As it was when the row entered. */
    name: text().notNull(),
    is_in: boolean().notNull(),
    /** When it last entered; null if it was there from the start. */
    entered_at: timestamptz(),
  },
  (table) => [
    primaryKey({ columns: [table.evaluation_id, table.row_key] }),
    index('view_rows_entered').on(table.evaluation_id, table.entered_at).where(sql`entered_at is not null`),
  ],
)

/** The users who are notified of rows that enter a view. */
export const viewSubscriptions = pgTable(
  'view_subscriptions',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    user_id: cascadingReferenceTo(() => users.id),
    view_id: cascadingReferenceTo(() => views.id),
    delivery: text().$type<Exclude<Delivery, 'off'>>().notNull(),
    language: text().$type<GridLanguage>().notNull(),
    /** What it follows; null before the first evaluation, and while the user may not open the view. */
    evaluation_id: integer().references(() => viewEvaluations.id, { onDelete: 'set null' }),
    /** Rows that entered later are new to the user. */
    seen_until: timestamptz(),
    /** When a row last entered, which begins an entry of what needs attention; null if none has. */
    entered_at: timestamptz(),
    /** Rows that entered later will be in the next daily mail. */
    mailed_until: timestamptz(),
  },
  (table) => [
    unique('view_subscriptions_of_user').on(table.user_id, table.view_id),
    index('view_subscriptions_by_view').on(table.view_id),
    index('view_subscriptions_by_evaluation').on(table.evaluation_id),
    check('view_subscriptions_delivery', sql`${table.delivery} in ('console', 'daily', 'immediate')`),
  ],
)
