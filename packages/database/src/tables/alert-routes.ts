import type { AlertSeverity } from '@kustos/contract/alert-routes'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, jsonb, timestamps, timestamptz } from './columns.ts'
import { incidents } from './monitoring.ts'

/** Who is alerted how long after the step before, unless the incident is acknowledged by then. The first one is at once. */
export interface RouteStep {
  readonly after_minutes: number
  /** Ids. Those of channels and rotas that are gone have no effect. */
  readonly channels: readonly number[]
  readonly rotas: readonly number[]
}

/** Rules that say who is alerted, evaluated in the order of their position (docs/decisions/0040). Empty lists match everything. */
export const alertRoutes = pgTable('alert_routes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  position: integer().notNull(),
  is_active: boolean().notNull(),
  customers: text().array().notNull(),
  tags: text().array().notNull(),
  node_ids: integer().array().notNull(),
  severities: text().array().$type<AlertSeverity[]>().notNull(),
  /** 1 is Monday. */
  weekdays: integer().array().notNull(),
  /** Local times of Europe/Rome, as HH:MM; both null for the whole day. */
  from_time: text(),
  to_time: text(),
  /** Whether the web's own channels are not alerted. */
  replaces_channels: boolean().notNull(),
  /** Whether later rules are evaluated, too. */
  continues: boolean().notNull(),
  steps: jsonb().$type<readonly RouteStep[]>().notNull(),
  ...timestamps,
})

/** The routes that an announced incident took: whom they have notified, and when the next step is due. */
export const alertEscalations = pgTable(
  'alert_escalations',
  {
    incident_id: cascadingReferenceTo(() => incidents.id),
    /** No reference, since a route that is deleted goes on for its incidents. */
    route_id: integer().notNull(),
    route_name: text().notNull(),
    replaces_channels: boolean().notNull(),
    /** As they were when the incident was announced. */
    steps: jsonb().$type<readonly RouteStep[]>().notNull(),
    /** How many of them are done. */
    done: integer().notNull(),
    /** When the next one is due; null if there is none. */
    due_at: timestamptz(),
    /** Who was notified, and is notified of its end. */
    channel_ids: integer().array().notNull(),
    user_ids: integer().array().notNull(),
    started_at: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.incident_id, table.route_id] }),
    index('alert_escalations_due').on(table.due_at).where(sql`due_at is not null`),
  ],
)
