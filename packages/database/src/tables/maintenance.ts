import type { MaintenanceRepeat } from '@kustos/contract/maintenance'
import { sql } from 'drizzle-orm'
import {
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, referenceTo, timestamps, timestamptz } from './columns.ts'
import { incidents } from './monitoring.ts'
import { users } from './users.ts'
import { webs } from './webs.ts'

/**
 * What a window covers. Never changed by users: an edit adds another one, so that what has begun keeps its own. The view
 * `maintenance_coverage` (migration maintenance_coverage) has the webs of each.
 */
export const maintenanceScopes = pgTable('maintenance_scopes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  web_ids: integer().array().notNull(),
  node_ids: integer().array().notNull(),
  /** Codes. */
  customers: text().array().notNull(),
  /** As webs carry them, or only their names for every value. */
  tags: text().array().notNull(),
})

/** A planned time, once or again and again. */
export const maintenanceWindows = pgTable(
  'maintenance_windows',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    reason: text().notNull(),
    scope_id: referenceTo(() => maintenanceScopes.id),
    repeats: text().$type<MaintenanceRepeat>().notNull(),
    /** If it takes place once. */
    starts_at: timestamptz(),
    ends_at: timestamptz(),
    /** 1 is Monday. */
    weekdays: integer().array().notNull(),
    month_days: integer().array().notNull(),
    /** If it repeats: local time of Europe/Rome, as HH:MM. */
    start_time: text(),
    duration_minutes: integer(),
    first_day: date({ mode: 'string' }),
    last_day: date({ mode: 'string' }),
    /** When it was ended early: what has begun before does not go on after an edit, unless that moves its start. */
    ended_early_at: timestamptz(),
    planned_by: referenceTo(() => users.id),
    ...timestamps,
    deleted_at: timestamptz(),
  },
  (table) => [check('maintenance_windows_repeats', sql`${table.repeats} in ('once', 'weekly', 'monthly')`)],
)

/** The times of windows: past ones as they were, and those of the next days. Older ones are purged. */
export const maintenanceOccurrences = pgTable(
  'maintenance_occurrences',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    window_id: cascadingReferenceTo(() => maintenanceWindows.id),
    scope_id: referenceTo(() => maintenanceScopes.id),
    starts_at: timestamptz().notNull(),
    ends_at: timestamptz().notNull(),
    /** Up to where screens were notified: only for that, the times decide. */
    noticed: text().notNull().default('planned'),
  },
  (table) => [
    uniqueIndex('maintenance_occurrences_by_window').on(table.window_id, table.starts_at),
    index('maintenance_occurrences_by_end').on(table.ends_at),
    check('maintenance_occurrences_noticed', sql`${table.noticed} in ('planned', 'begun', 'ended')`),
  ],
)

/** Webs whose maintenance ended before that of the others. */
export const maintenanceExemptions = pgTable(
  'maintenance_exemptions',
  {
    occurrence_id: integer().notNull(),
    web_id: cascadingReferenceTo(() => webs.id),
    ended_at: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.occurrence_id, table.web_id] }),
    // Its usual name would be too long.
    foreignKey({
      name: 'maintenance_exemptions_occurrence',
      columns: [table.occurrence_id],
      foreignColumns: [maintenanceOccurrences.id],
    }).onDelete('cascade'),
  ],
)

/** Times inside an incident that were planned, as they were when its rounds were evaluated. Those of two windows may overlap. */
export const plannedDowntimes = pgTable(
  'planned_downtimes',
  {
    incident_id: cascadingReferenceTo(() => incidents.id),
    /** No reference, since occurrences are purged. */
    occurrence_id: integer().notNull(),
    started_at: timestamptz().notNull(),
    ended_at: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.incident_id, table.occurrence_id] })],
)
