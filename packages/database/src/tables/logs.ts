import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { json, timestamptz } from './columns.ts'
import { users } from './users.ts'

export interface LogProperties {
  attributes?: Record<string, unknown>
  old?: Record<string, unknown>
}

/** The audit log, which is append-only (drizzle/0008), in a partition for each month at UTC (drizzle/0027). */
export const logEntries = pgTable(
  'log_entries',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    created_at: timestamptz().notNull(),
    log_name: text().notNull(),
    description: text().notNull(),
    subject_type: text(),
    subject_id: integer(),
    causer_id: integer().references(() => users.id),
    properties: json().$type<LogProperties>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.created_at] }),
    index('log_entries_by_time').on(table.created_at, table.id),
    // One for each filter of the log, newest first.
    index('log_entries_by_subject').on(table.subject_type, table.subject_id, table.created_at, table.id),
    index('log_entries_by_subject_type').on(table.subject_type, table.created_at, table.id),
    index('log_entries_by_causer').on(table.causer_id, table.created_at, table.id),
    index('log_entries_by_log').on(table.log_name, table.created_at, table.id),
  ],
)

/**
 * The chain of hashes over the audit log (drizzle/0028), append-only as well. Its format is in
 * packages/domain/src/logs/chain.ts.
 */
export const logSeals = pgTable('log_seals', {
  number: bigint({ mode: 'number' }).primaryKey(),
  sealed_at: timestamptz().notNull(),
  previous_hash: text().notNull(),
  /** A line for each entry: its id, its time and its hash. */
  entries: text().notNull(),
  hash: text().notNull(),
})
