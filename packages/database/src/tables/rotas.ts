import type { Handover } from '@kustos/contract/rotas'
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, referenceTo, timestamps, timestamptz } from './columns.ts'
import { users } from './users.ts'

/** Who is on call when: users take turns (docs/decisions/0040). */
export const rotas = pgTable(
  'rotas',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    /** Ids, in their order. Deleted users stay in it, since they can be restored. */
    user_ids: integer().array().notNull(),
    handover: text().$type<Handover>().notNull(),
    /** If it is weekly: 1 is Monday. */
    weekday: integer(),
    /** Of the hand-over: local time of Europe/Rome, as HH:MM. */
    time: text().notNull(),
    first_day: date({ mode: 'string' }).notNull(),
    /** Who was last notified of being on call, and since when. The schedule says who is on call. */
    noticed_user_id: integer().references(() => users.id),
    noticed_since: timestamptz(),
    ...timestamps,
  },
  (table) => [check('rotas_handover', sql`${table.handover} in ('weekly', 'daily')`)],
)

/** Who is on call for a time instead of those whose turn it is. Of those that overlap the newest counts. */
export const rotaOverrides = pgTable(
  'rota_overrides',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    rota_id: cascadingReferenceTo(() => rotas.id),
    user_id: referenceTo(() => users.id),
    starts_at: timestamptz().notNull(),
    ends_at: timestamptz().notNull(),
    note: text(),
    created_by: integer().references(() => users.id),
    created_at: timestamptz().notNull(),
  },
  (table) => [
    index('rota_overrides_by_rota').on(table.rota_id, table.ends_at),
    check('rota_overrides_times', sql`${table.starts_at} < ${table.ends_at}`),
  ],
)
