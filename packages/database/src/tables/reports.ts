import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea, messageColumns, timestamptz } from './columns.ts'

/**
 * What tracking audits have found, append-only, in a chain of hashes for each web and a partition for each month at UTC. Only
 * `drop_old_records` removes rows, a month at a time. The format is in packages/domain/src/reports/record.ts.
 */
export const trackingRecords = pgTable(
  'tracking_records',
  {
    /** No reference, which would lock webs when a month is dropped. Webs are never removed. */
    web_id: integer().notNull(),
    /** From 1, without gaps for each web. */
    number: integer().notNull(),
    recorded_at: timestamptz().notNull(),
    inspection_id: integer(),
    /** The number of the record with the same findings, in the same month; null if this one has them. */
    confirms: integer(),
    /** SHA-256 of what is compared with the next audit. */
    fingerprint: text().notNull(),
    /** Canonical JSON. */
    content: text().notNull(),
    /** SHA-256 of the content, which names the hash of the record before it. */
    hash: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.web_id, table.number, table.recorded_at] }),
    index('tracking_records_by_inspection').on(table.inspection_id),
  ],
)

/** The screenshots of the records of a month, append-only as these, in partitions of the same months. */
export const trackingImages = pgTable(
  'tracking_images',
  {
    /** Of the content, in hexadecimal. */
    sha256: text().notNull(),
    /** When it begins. */
    month: timestamptz().notNull(),
    content: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.month] })],
)

/** Reports that workers print as PDF, which are removed after a day. */
export const reportPdfs = pgTable(
  'report_pdfs',
  {
    /** SHA-256 of the HTML, in hexadecimal. */
    document: text().primaryKey(),
    html: text().notNull(),
    requested_at: timestamptz().notNull(),
    /** Null until it is printed. */
    pdf: bytea(),
    ended_at: timestamptz(),
    /** Why it could not be printed. */
    ...messageColumns('error'),
  },
  (table) => [
    check(
      'report_pdfs_end',
      sql`(${table.ended_at} is null) or num_nonnulls(${table.pdf}, ${table.error}) = 1`,
    ),
  ],
)
