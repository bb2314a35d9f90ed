import type { NewWebRequest } from '@kustos/contract/deployment'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { users } from './users.ts'
import { nodes, webs } from './webs.ts'

const underWay = sql`state in ('waiting', 'running')`

/** One execution of an action or a request: the truth about it, whatever the job queue knows. */
export const deployments = pgTable(
  'deployments',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    state: text().notNull().default('waiting'),
    /** The web's name; for a request the one it will have. */
    fqdn: text().notNull(),
    web_id: integer().references(() => webs.id),
    node_id: integer().references(() => nodes.id),
    /** What a request said; null for an action. */
    request: json().$type<NewWebRequest>(),
    /** The repository that a request makes; one at a time. */
    repository: text(),
    /** Whether a backup is taken before anything is overwritten. */
    backup: boolean().notNull().default(true),
    requested_by: integer().references(() => users.id),
    attempts: integer().notNull().default(1),
    error: text(),
    /** What it waits for, where it could not start at once. */
    waits_for: text(),
    cancel_requested_at: moment(),
    /** The execution that holds it, and until when that one counts as alive. */
    holder: text(),
    held_until: moment(),
    created_at: moment().notNull(),
    updated_at: moment().notNull(),
    started_at: moment(),
    ended_at: moment(),
  },
  (table) => [
    check(
      'deployments_state',
      sql`${table.state} in ('waiting', 'running', 'succeeded', 'failed', 'cancelled')`,
    ),
    uniqueIndex('deployments_one_of_a_kind').on(table.web_id, table.kind).where(underWay),
    uniqueIndex('deployments_one_for_a_new_fqdn').on(table.fqdn).where(sql`kind = 'newWeb' and ${underWay}`),
    uniqueIndex('deployments_one_for_a_repository').on(table.repository).where(underWay),
    index('deployments_under_way').on(table.state, table.id).where(underWay),
    index('deployments_by_web').on(table.web_id, table.id),
  ],
)

export const deploymentSteps = pgTable(
  'deployment_steps',
  {
    deployment_id: integer()
      .notNull()
      .references(() => deployments.id, { onDelete: 'cascade' }),
    /** Its place, from 0. */
    step: integer().notNull(),
    name: text().notNull(),
    place: text().notNull(),
    state: text().notNull().default('pending'),
    started_at: moment(),
    ended_at: moment(),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.deployment_id, table.step] })],
)

export const deploymentLines = pgTable(
  'deployment_lines',
  {
    deployment_id: integer()
      .notNull()
      .references(() => deployments.id, { onDelete: 'cascade' }),
    /** From 1, without gaps. */
    number: integer().notNull(),
    step: integer().notNull(),
    at: moment().notNull(),
    source: text().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deployment_id, table.number] })],
)
