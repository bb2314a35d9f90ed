import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** The last good list of the workspace's repositories. */
export const repositories = pgTable('repositories', {
  /** The slug. */
  name: text().primaryKey(),
  project_key: text().notNull(),
  project_name: text().notNull(),
  description: text().notNull(),
  fork_policy: text(),
  html_url: text().notNull(),
  clone_url: text().notNull(),
  created_on: moment().notNull(),
  updated_on: moment().notNull(),
})

/** One row: when Bitbucket was asked for the list last, and when it answered. */
export const repositorySyncs = pgTable('repository_syncs', {
  id: integer().primaryKey().default(1),
  succeeded_at: moment(),
  failed_at: moment(),
  /** Why it failed, in a sentence. */
  error: text(),
})
