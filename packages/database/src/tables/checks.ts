import type { CheckChange } from '@kustos/contract/checks'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, jsonb, messageColumns, timestamps, timestamptz } from './columns.ts'
import { customers } from './customers.ts'
import { tags } from './tags.ts'
import { webs } from './webs.ts'

/** Those that are set; what is missing is inherited. Values of headers are sealed (domain/platform/secret-box.ts). */
export type StoredCheck = {
  readonly [Field in Exclude<keyof CheckChange, 'updated_at'>]?: NonNullable<CheckChange[Field]>
}

/** How a web, the webs of a customer, or those that carry a tag are checked. */
export const checks = pgTable(
  'checks',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    web_id: integer().references(() => webs.id, { onDelete: 'cascade' }),
    customer_id: integer().references(() => customers.id, { onDelete: 'cascade' }),
    tag_id: integer().references(() => tags.id, { onDelete: 'cascade' }),
    settings: jsonb().$type<StoredCheck>().notNull().default({}),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('checks_by_web').on(table.web_id),
    uniqueIndex('checks_by_customer').on(table.customer_id),
    uniqueIndex('checks_by_tag').on(table.tag_id),
    check('checks_subject', sql`num_nonnulls(${table.web_id}, ${table.customer_id}, ${table.tag_id}) = 1`),
  ],
)

/** A time in which a web responded, but not as visitors need it: no downtime, and no incident. */
export const degradations = pgTable(
  'degradations',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    web_id: cascadingReferenceTo(() => webs.id),
    started_at: timestamptz().notNull(),
    ended_at: timestamptz(),
    /** Of the latest such probe, as the reason. */
    status: smallint(),
    ...messageColumns('reason'),
    /** When its beginning was announced. */
    alerted_at: timestamptz(),
    /** Whom routes notified of it then, who are notified of its end: as in `alert_escalations`. */
    replaces_channels: boolean().notNull().default(false),
    channel_ids: integer().array().notNull().default([]),
    user_ids: integer().array().notNull().default([]),
  },
  (table) => [
    uniqueIndex('degradations_one_open').on(table.web_id).where(sql`ended_at is null`),
    index('degradations_by_web').on(table.web_id, table.started_at),
  ],
)

/** Addresses at which a page with content was seen, so that a blank one is noticed. */
export const seenPages = pgTable('seen_pages', {
  web_id: integer()
    .primaryKey()
    .references(() => webs.id, { onDelete: 'cascade' }),
  /** Host and path: of another one nothing is known. */
  url: text().notNull(),
})
