import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
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
    /** Of the request that caused it, as in the programs' logs. It is not sealed. */
    request_id: text(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.created_at] }),
    index('log_entries_by_time').on(table.created_at, table.id),
    // One for each filter of the log, newest first.
    index('log_entries_by_subject').on(table.subject_type, table.subject_id, table.created_at, table.id),
    index('log_entries_by_subject_type').on(table.subject_type, table.created_at, table.id),
    index('log_entries_by_causer').on(table.causer_id, table.created_at, table.id),
    index('log_entries_by_log').on(table.log_name, table.created_at, table.id),
    index('log_entries_by_action').on(table.description, table.created_at, table.id),
    // For the search (drizzle/0054). Words are added at once, since a list of pending ones would be read by every search.
    index('log_entries_by_words')
      .using(
        'gin',
        sql`log_words(${table.log_name}, ${table.description}, ${table.properties}, ${table.request_id})`,
      )
      .with({ fastupdate: false }),
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

/** A single row, which the owner of the tables writes when a program starts (drizzle/0031). The application only reads it. */
export const logSettings = pgTable(
  'log_settings',
  {
    is_only_row: boolean().primaryKey().default(true),
    /** How long months stay in the database; null if indefinitely. */
    retention_months: integer(),
    /** The same for the records of tracking audits. */
    record_retention_months: integer(),
  },
  (table) => [
    check('log_settings_only_row', sql`${table.is_only_row}`),
    check('log_settings_retention', sql`${table.retention_months} > 0`),
  ],
)

/** The parts of the audit log that were moved to files. Only `drop_archived_log_partition` (drizzle/0031) adds them. */
export const logArchives = pgTable('log_archives', {
  /** The last seal with entries of the archive; 0 if it has none. */
  last_seal: bigint({ mode: 'number' }).notNull(),
  /** The archive has the entries of the time from here … */
  from_at: timestamptz().notNull(),
  /** … to here (exclusive), as far as they are in seals up to the last one. */
  until_at: timestamptz().notNull(),
  /** The name of the file. */
  file: text().primaryKey(),
  entries: bigint({ mode: 'number' }).notNull(),
  /** SHA-256 over the lines of the entries in their seals. */
  entries_hash: text().notNull(),
  archived_at: timestamptz().notNull().defaultNow(),
})
