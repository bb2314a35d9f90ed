import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { messageColumns, timestamptz } from './columns.ts'

/** The repositories of the workspace as of the last successful refresh. */
export const repositories = pgTable('repositories', {
  name: text().primaryKey(),
  project_key: text().notNull(),
  project_name: text().notNull(),
  description: text().notNull(),
  fork_policy: text(),
  html_url: text().notNull(),
  clone_url: text().notNull(),
  created_on: timestamptz().notNull(),
  updated_on: timestamptz().notNull(),
})

/** The last refreshes of the list, in one row. */
export const repositorySyncs = pgTable('repository_syncs', {
  id: integer().primaryKey().default(1),
  succeeded_at: timestamptz(),
  failed_at: timestamptz(),
  /** The first failure since the last success. */
  failing_since: timestamptz(),
  /** Why the last refresh failed; null if it succeeded. */
  ...messageColumns('error'),
})
