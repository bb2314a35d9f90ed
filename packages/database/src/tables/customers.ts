import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { json, timestamps } from './columns.ts'

interface Contact {
  name: string
  role: string | null
  email: string | null
  phone: string | null
}

/**
 * Whom webs, domains and mailboxes belong to. They have its code, without a reference: triggers add a row for each new code
 * (migration customer_codes).
 */
export const customers = pgTable('customers', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  code: text().notNull().unique(),
  name: text(),
  contacts: json().$type<Contact[]>().notNull().default([]),
  notes: text(),
  contract_notes: text(),
  /** Where alerts of its webs go that name no channel themselves. */
  alert_channels: text().array().notNull().default([]),
  /** Codes that were merged into this one. */
  spellings: text().array().notNull().default([]),
  /** As of webs. */
  tags: text().array().notNull().default([]),
  ...timestamps,
})
