import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, timestamps, timestamptz } from './columns.ts'
import { users } from './users.ts'
import { webs } from './webs.ts'

/** Which categories of third parties need consent: a row for each. */
export const thirdPartyPolicy = pgTable(
  'third_party_policy',
  {
    /** `thirdPartyCategories` of the contract. */
    category: text().primaryKey(),
    decision: text().notNull(),
    updated_at: timestamptz().notNull().defaultNow(),
  },
  (table) => [check('third_party_policy_decision', sql`${table.decision} in ('consent', 'review', 'none')`)],
)

/** What staff have decided about hosts, whatever the lists say of them. */
export const thirdPartyClassifications = pgTable(
  'third_party_classifications',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** In ASCII. Its subdomains are meant, too. */
    host: text().notNull().unique(),
    category: text().notNull(),
    reason: text().notNull(),
    classified_by: integer().references(() => users.id),
    ...timestamps,
  },
  (table) => [
    // The usual name is too long for Postgres.
    foreignKey({
      name: 'third_party_classifications_category_fk',
      columns: [table.category],
      foreignColumns: [thirdPartyPolicy.category],
    }),
  ],
)

/** What webs load from other parties, and from hosts of their own that belong to a tracking service. */
export const webThirdParties = pgTable(
  'web_third_parties',
  {
    web_id: cascadingReferenceTo(() => webs.id),
    /** `static` if the page was read, else the phase of a browser's visit. */
    phase: text().notNull(),
    host: text().notNull(),
    /** The name of the service or its company; empty if it is unknown. */
    entity: text().notNull(),
    /** The tracker's topic; null for others. */
    topic: text(),
    /** By the lists, whatever staff have decided. */
    category: text()
      .notNull()
      .references(() => thirdPartyPolicy.category),
    /** The name behind the CNAME records of a web's own host. */
    alias: text(),
    /** Whether each request said that consent was denied. */
    is_denied: boolean().notNull(),
    first_seen: timestamptz().notNull(),
    last_seen: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.web_id, table.phase, table.host, table.entity] }),
    check(
      'web_third_parties_phase',
      sql`${table.phase} in ('static', 'before', 'refused', 'accepted', 'withdrawn')`,
    ),
    index('web_third_parties_by_host').on(table.host),
  ],
)
