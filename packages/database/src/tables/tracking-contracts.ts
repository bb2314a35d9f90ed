import type { Evidence } from '@kustos/contract/tracking'
import type { ContractSettings, DifferenceKind } from '@kustos/contract/tracking-contracts/states'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json, jsonb, messageColumns, timestamps, timestamptz } from './columns.ts'
import { customers } from './customers.ts'
import { users } from './users.ts'
import { webs } from './webs.ts'

/** The fields that are set; what is missing is inherited. */
export type StoredContract = {
  readonly [Field in keyof ContractSettings]?: NonNullable<ContractSettings[Field]>
}

const scopeColumns = () => ({
  web_id: integer().references(() => webs.id, { onDelete: 'cascade' }),
  customer_id: integer().references(() => customers.id, { onDelete: 'cascade' }),
})

/** What was agreed on about the tracking of a customer, and what differs from it for a web. */
export const trackingContracts = pgTable(
  'tracking_contracts',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ...scopeColumns(),
    settings: jsonb().$type<StoredContract>().notNull().default({}),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('tracking_contracts_by_web').on(table.web_id),
    uniqueIndex('tracking_contracts_by_customer').on(table.customer_id),
    check('tracking_contracts_scope', sql`num_nonnulls(${table.web_id}, ${table.customer_id}) = 1`),
  ],
)

/** Differences that are allowed until a time. */
export const trackingExceptions = pgTable(
  'tracking_exceptions',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ...scopeColumns(),
    /** That of the differences (`keyOf`), which are the same at all webs. */
    key: text().notNull(),
    /** The difference as it was. */
    ...messageColumns('difference'),
    until: timestamptz().notNull(),
    reason: text().notNull(),
    created_by: integer().references(() => users.id),
    created_at: timestamptz().notNull(),
  },
  (table) => [
    index('tracking_exceptions_by_web').on(table.web_id),
    index('tracking_exceptions_by_customer').on(table.customer_id),
    check('tracking_exceptions_scope', sql`num_nonnulls(${table.web_id}, ${table.customer_id}) = 1`),
  ],
)

/** What preceded a difference: a deployment of the web, otherwise an entry of the audit log. */
export interface DriftCause {
  readonly at: string
  readonly deployment: { readonly id: number; readonly kind: string } | null
  readonly entry: { readonly id: number; readonly description: string } | null
}

/** How audits of a web differ from its contract. Pending ones that are not confirmed are deleted. */
export const trackingDifferences = pgTable(
  'tracking_differences',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    web_id: cascadingReferenceTo(() => webs.id),
    /** Tells differences of a web apart, and is the same in each audit. */
    key: text().notNull(),
    kind: text().$type<DifferenceKind>().notNull(),
    subject: text().notNull(),
    /** The id that the key has; null if it has none. */
    value: text(),
    expected: text().array().notNull(),
    found: text().array().notNull(),
    ...messageColumns('reason'),
    evidence: json().$type<Evidence>(),
    preceded_by: json().$type<DriftCause>(),
    first_seen_at: timestamptz().notNull(),
    /** No reference, since old audits are deleted. */
    first_audit_id: integer().notNull(),
    last_seen_at: timestamptz().notNull(),
    confirmed_at: timestamptz(),
    /** The first audit that no longer shows it. */
    unseen_at: timestamptz(),
    ended_at: timestamptz(),
    /** Whether its beginning and its end were announced. */
    alerted_at: timestamptz(),
    end_alerted_at: timestamptz(),
    /** Whom routes notified of its beginning, who are notified of its end: as in `degradations`. */
    replaces_channels: boolean().notNull().default(false),
    channel_ids: integer().array().notNull().default([]),
    user_ids: integer().array().notNull().default([]),
  },
  (table) => [
    uniqueIndex('tracking_differences_one_open').on(table.web_id, table.key).where(sql`ended_at is null`),
    index('tracking_differences_by_web').on(table.web_id, table.ended_at),
    index('tracking_differences_open')
      .on(table.confirmed_at)
      .where(sql`ended_at is null and confirmed_at is not null`),
  ],
)

/** When the tracking of a web was last compared with its contract, and when an audit has to confirm what it showed. */
export const trackingJudgements = pgTable(
  'tracking_judgements',
  {
    web_id: integer()
      .primaryKey()
      .references(() => webs.id, { onDelete: 'cascade' }),
    judged_at: timestamptz().notNull(),
    recheck_at: timestamptz(),
    /** Audits that were requested without a result. */
    rechecks: integer().notNull().default(0),
  },
  (table) => [index('tracking_judgements_due').on(table.recheck_at).where(sql`recheck_at is not null`)],
)
