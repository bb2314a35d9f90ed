import type { Audience, ListName } from '@kustos/contract/views'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, jsonb, referenceTo, timestamps } from './columns.ts'
import { roles, users } from './users.ts'

/** A list's filters, columns, order and page size under a name. */
export const views = pgTable(
  'views',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    owner_id: referenceTo(() => users.id),
    list: text().$type<ListName>().notNull(),
    name: text().notNull(),
    query: text().notNull(),
    column_order: text().array().notNull(),
    column_widths: jsonb().$type<Readonly<Record<string, number>>>().notNull(),
    audience: text().$type<Audience>().notNull(),
    /** Null once the role is deleted: then only the owner sees the view. */
    role_id: integer().references(() => roles.id, { onDelete: 'set null' }),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('views_name').on(table.owner_id, table.list, sql`lower(${table.name})`),
    index('views_by_role').on(table.role_id),
  ],
)

/** The views in the sidebar of a user. */
export const pinnedViews = pgTable(
  'pinned_views',
  {
    user_id: cascadingReferenceTo(() => users.id),
    view_id: cascadingReferenceTo(() => views.id),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.view_id] }),
    index('pinned_views_by_view').on(table.view_id),
  ],
)

/** The view that a user's list opens with. */
export const defaultViews = pgTable(
  'default_views',
  {
    user_id: cascadingReferenceTo(() => users.id),
    list: text().$type<ListName>().notNull(),
    view_id: cascadingReferenceTo(() => views.id),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.list] }),
    index('default_views_by_view').on(table.view_id),
  ],
)
