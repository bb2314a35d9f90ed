import type { WebEdits } from '@kustos/contract/batches'
import type { CheckEdits } from '@kustos/contract/checks'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json, messageColumns, referenceTo, timestamptz } from './columns.ts'
import { deployments } from './deployments.ts'
import { users } from './users.ts'
import { webs } from './webs.ts'

/** An action on many webs. A worker starts its targets a few at a time. */
export const batches = pgTable(
  'batches',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    action: text().notNull(),
    state: text().notNull().default('running'),
    /** For the action `edit`. */
    edits: json().$type<WebEdits>(),
    /** For the action `changeCheck`. */
    check: json().$type<CheckEdits>(),
    /** The batch whose edits it takes back. */
    reverts_batch: integer(),
    requested_by: referenceTo(() => users.id),
    /** Who acts instead, since the last retry. */
    retried_by: integer().references(() => users.id),
    parallel: integer().notNull(),
    stop_above: integer().notNull(),
    created_at: timestamptz().notNull(),
    updated_at: timestamptz().notNull(),
    ended_at: timestamptz(),
  },
  (table) => [
    check('batches_state', sql`${table.state} in ('running', 'succeeded', 'failed', 'stopped', 'cancelled')`),
    index('batches_running').on(table.id).where(sql`state = 'running'`),
    index('batches_by_requester').on(table.requested_by, table.id),
  ],
)

/** A web of a batch, in the order of its position. */
export const batchTargets = pgTable(
  'batch_targets',
  {
    batch_id: cascadingReferenceTo(() => batches.id),
    position: integer().notNull(),
    web_id: referenceTo(() => webs.id),
    state: text().notNull().default('waiting'),
    deployment_id: integer().references(() => deployments.id),
    /** No reference, since inspections are purged. */
    inspection_id: integer(),
    ...messageColumns('error'),
    started_at: timestamptz(),
    ended_at: timestamptz(),
  },
  (table) => [
    primaryKey({ columns: [table.batch_id, table.position] }),
    check(
      'batch_targets_state',
      sql`${table.state} in ('waiting', 'running', 'succeeded', 'failed', 'skipped', 'cancelled')`,
    ),
    uniqueIndex('batch_targets_by_web').on(table.batch_id, table.web_id),
    index('batch_targets_of_web').on(table.web_id, table.batch_id),
    index('batch_targets_under_way')
      .on(table.batch_id, table.state, table.position)
      .where(sql`state in ('waiting', 'running')`),
  ],
)
