import { pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'

/** What is being worked on by one process at a time. An expired lease can be taken over. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  holder: text().notNull(),
  expires_at: timestamptz().notNull(),
})
