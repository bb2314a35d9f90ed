import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamps } from './columns.ts'

/** The catalogue of tags. Webs, customers and nodes carry them by name, with their values, in their column `tags`. */
export const tags = pgTable('tags', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** In lower case. */
  name: text().notNull().unique(),
  /** Of its values; see the contract. */
  type: text().notNull().default('none'),
  options: text().array().notNull().default([]),
  color: text().notNull().default('grey'),
  description: text(),
  ...timestamps,
})
