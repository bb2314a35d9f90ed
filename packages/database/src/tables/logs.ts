import { bigint, index, integer, json, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { users } from './users.ts'

export interface LogProperties {
  attributes?: Record<string, unknown>
  old?: Record<string, unknown>
}

/** The audit log, which is append-only (drizzle/0008). */
export const logEntries = pgTable(
  'log_entries',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment().notNull(),
    log_name: text().notNull(),
    description: text().notNull(),
    subject_type: text(),
    subject_id: integer(),
    causer_id: integer().references(() => users.id),
    properties: json().$type<LogProperties>().notNull(),
  },
  (table) => [
    index('log_entries_by_time').on(table.created_at, table.id),
    // One for each filter of the log, newest first.
    index('log_entries_by_subject').on(table.subject_type, table.subject_id, table.created_at, table.id),
    index('log_entries_by_subject_type').on(table.subject_type, table.created_at, table.id),
    index('log_entries_by_causer').on(table.causer_id, table.created_at, table.id),
    index('log_entries_by_log').on(table.log_name, table.created_at, table.id),
  ],
)
