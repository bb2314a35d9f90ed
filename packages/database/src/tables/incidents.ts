import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, timestamptz } from './columns.ts'
import { deployments } from './deployments.ts'
import { incidents } from './monitoring.ts'
import { users } from './users.ts'

/** What users have written about an incident, oldest first. Who has it is in `attention_handling`. */
export const incidentComments = pgTable(
  'incident_comments',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    incident_id: cascadingReferenceTo(() => incidents.id),
    text: text().notNull(),
    created_by: integer().references(() => users.id),
    created_at: timestamptz().notNull(),
  },
  (table) => [index('incident_comments_by_incident').on(table.incident_id, table.id)],
)

/** What was found out about an incident. Most have no row. */
export const incidentReports = pgTable('incident_reports', {
  incident_id: integer()
    .primaryKey()
    .references(() => incidents.id, { onDelete: 'cascade' }),
  /** Whether a user has chosen the deployment, or that there is none. Otherwise it is looked up. */
  is_deployment_chosen: boolean().notNull().default(false),
  deployment_id: integer().references(() => deployments.id, { onDelete: 'set null' }),
  post_mortem: text(),
  post_mortem_by: integer().references(() => users.id),
  post_mortem_at: timestamptz(),
})
