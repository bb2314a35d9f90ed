import { pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'

/** Gives one process at a time the right to work on something. An expired lease can be taken over. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  holder: text().notNull(),
  expires_at: timestamptz().notNull(),
})
