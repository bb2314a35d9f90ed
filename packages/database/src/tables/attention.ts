import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { users } from './users.ts'
import { webs } from './webs.ts'

/**
 * What users have done about an entry that needs attention. The entries themselves are computed when they are read
 * (docs/decisions/0027). A new occurrence has another `since`, and so a row of its own.
 */
export const attentionHandling = pgTable(
  'attention_handling',
  {
    /** `attentionKinds` of the contract. */
    kind: text().notNull(),
    /** The id of the web, deployment, domain or node; 1 if there is only one of the kind. */
    subject_id: integer().notNull(),
    since: timestamptz().notNull(),
    acknowledged_by: integer().references(() => users.id),
    acknowledged_at: timestamptz(),
    assigned_to: integer().references(() => users.id),
    snoozed_by: integer().references(() => users.id),
    snoozed_until: timestamptz(),
    note: text(),
    /** The last action, by whom and when. */
    action: text().notNull(),
    updated_by: integer().references(() => users.id),
    updated_at: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subject_id, table.since] }),
    check(
      'attention_handling_action',
      sql`${table.action} in ('acknowledged', 'assigned', 'snoozed', 'reopened')`,
    ),
  ],
)

/** The webs whose latest visit in a browser requested tracking services without consent. */
export const trackingViolations = pgTable('tracking_violations', {
  web_id: integer()
    .primaryKey()
    .references(() => webs.id, { onDelete: 'cascade' }),
  /** The first of these visits. */
  since: timestamptz().notNull(),
  /** The topics of the services. */
  services: text().array().notNull(),
})
