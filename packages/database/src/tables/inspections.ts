import type { Connection } from '@kustos/contract/inspections'
import type { Message } from '@kustos/contract/messages'
import type { EarlyRequest } from '@kustos/contract/web-summary'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json, jsonb, messageColumns, timestamptz } from './columns.ts'
import { users } from './users.ts'
import { nodes, webs } from './webs.ts'

const underWay = sql`state in ('waiting', 'running')`

const problems = {
  /** Sentences about facts that could not be read. */
  problems: text().array().notNull().default([]),
  /** The same as messages; empty in rows of releases without codes. */
  problem_codes: jsonb().$type<Message[]>().notNull().default([]),
}

export const inspections = pgTable(
  'inspections',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Null if a node is inspected. */
    web_id: integer().references(() => webs.id),
    /** Null if a web is inspected. */
    node_id: integer().references(() => nodes.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    /** partial: something could not be found out. */
    state: text().notNull().default('waiting'),
    /** Null if scheduled. */
    requested_by: integer().references(() => users.id),
    /** `inspectionReasons` of the contract; null for those that users request, and for regular ones. */
    reason: text(),
    ...problems,
    /** The result of a node's connection test. */
    connection: json().$type<Connection>(),
    created_at: timestamptz().notNull(),
    started_at: timestamptz(),
    ended_at: timestamptz(),
  },
  (table) => [
    check('inspections_kind', sql`${table.kind} in ('refresh', 'tracking', 'connection', 'discovery')`),
    check('inspections_subject', sql`num_nonnulls(${table.web_id}, ${table.node_id}) = 1`),
    check(
      'inspections_state',
      sql`${table.state} in ('waiting', 'running', 'succeeded', 'partial', 'failed')`,
    ),
    uniqueIndex('inspections_one_of_a_kind').on(table.web_id, table.kind).where(underWay),
    uniqueIndex('inspections_one_of_a_node').on(table.node_id, table.kind).where(underWay),
    index('inspections_by_node').on(table.node_id, table.id),
    index('inspections_under_way').on(table.id).where(underWay),
    index('inspections_by_web').on(table.web_id, table.id),
    index('inspections_by_end').on(table.ended_at),
  ],
)

/** When each fact of a web was last seen. */
export const webFacts = pgTable(
  'web_facts',
  {
    web_id: cascadingReferenceTo(() => webs.id),
    fact: text().notNull(),
    /** Null if it has never been seen. */
    seen_at: timestamptz(),
    tried_at: timestamptz().notNull(),
    /** Why the last try failed; null if it succeeded. */
    ...messageColumns('error'),
  },
  (table) => [
    primaryKey({ columns: [table.web_id, table.fact] }),
    check(
      'web_facts_fact',
      sql`${table.fact} in ('plesk', 'dns', 'certificate', 'http', 'framework', 'tracking')`,
    ),
  ],
)

export const trackingAudits = pgTable(
  'tracking_audits',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    web_id: cascadingReferenceTo(() => webs.id),
    /** The inspection that made it, which is removed earlier; null in rows of older releases. */
    inspection_id: integer(),
    audited_at: timestamptz().notNull(),
    /** static, or browser if one is configured. */
    engine: text().notNull(),
    /** seen; partial: something could not be read; failed: nothing could be read. */
    outcome: text().notNull(),
    /** Whether everything that can contain a tracker was read, as some problems hide none; null in rows of older releases. */
    is_complete: boolean(),
    ...problems,
    /** The findings with their evidence (packages/domain/src/tracking). */
    findings: json().notNull(),
    /** The requests of the page in a browser, before and after consent; null without a browser. */
    visit: json(),
    /** Its requests before consent, since pages of customers read those of a thousand webs. Null without a visit, and of old rows. */
    before_consent: json().$type<EarlyRequest[]>(),
  },
  (table) => [
    check('tracking_audits_engine', sql`${table.engine} in ('static', 'browser')`),
    check('tracking_audits_outcome', sql`${table.outcome} in ('seen', 'partial', 'failed')`),
    index('tracking_audits_by_web').on(table.web_id, table.id),
  ],
)
