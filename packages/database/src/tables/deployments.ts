import type { NewWebRequest } from '@kustos/contract/deployment'

import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json, messageColumns, timestamptz } from './columns.ts'
import { users } from './users.ts'
import { nodes, webs } from './webs.ts'

const underWay = sql`state in ('waiting', 'running')`

/** An action or a request. This table, not the job queue, is the source of truth. */
export const deployments = pgTable(
  'deployments',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    state: text().notNull().default('waiting'),
    /** The name of the web, which a request has yet to create. */
    fqdn: text().notNull(),
    web_id: integer().references(() => webs.id),
    node_id: integer().references(() => nodes.id),
    /** Null if the deployment is an action. */
    request: json().$type<NewWebRequest>(),
    repository: text(),
    /** Whether a backup is taken before anything is overwritten. */
    backup: boolean().notNull().default(true),
    requested_by: integer().references(() => users.id),
    /** The batch that it belongs to; no reference, since a batch refers to its deployments. */
    batch_id: integer(),
    attempts: integer().notNull().default(1),
    /** Executions of this attempt since its last finished step that ended with an unexpected error or whose worker died. */
    failed_executions: integer().notNull().default(0),
    ...messageColumns('error'),
    ...messageColumns('waits_for'),
    cancel_requested_at: timestamptz(),
    /** Counts the claims. Each write and each run of a command belongs to one; those of earlier claims are refused. */
    epoch: integer().notNull().default(0),
    holder: text(),
    held_until: timestamptz(),
    created_at: timestamptz().notNull(),
    updated_at: timestamptz().notNull(),
    started_at: timestamptz(),
    ended_at: timestamptz(),
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
    index('deployments_by_node').on(table.node_id, table.id),
    index('deployments_by_end').on(table.ended_at),
    index('deployments_by_requester').on(table.requested_by, table.ended_at),
  ],
)

export const deploymentSteps = pgTable(
  'deployment_steps',
  {
    deployment_id: cascadingReferenceTo(() => deployments.id),
    /** The index in the recipe. */
    step: integer().notNull(),
    name: text().notNull(),
    name_code: text(),
    place: text().notNull(),
    state: text().notNull().default('pending'),
    started_at: timestamptz(),
    ended_at: timestamptz(),
    /**
     * The epoch of the claim that started its last command, which names the run on the node; null once the command is known to
     * have ended.
     */
    run_epoch: integer(),
    /** The number of the last line before the output of that command. */
    output_after: integer(),
    ...messageColumns('error'),
  },
  (table) => [
    primaryKey({ columns: [table.deployment_id, table.step] }),
    index('deployment_steps_with_run')
      .on(table.deployment_id)
      .where(sql`run_epoch is not null and state <> 'succeeded'`),
  ],
)

export const deploymentLines = pgTable(
  'deployment_lines',
  {
    deployment_id: cascadingReferenceTo(() => deployments.id),
    /** Counts from 1 without gaps. */
    number: integer().notNull(),
    step: integer().notNull(),
    at: timestamptz().notNull(),
    source: text().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deployment_id, table.number] })],
)
