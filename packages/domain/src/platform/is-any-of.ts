import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** One parameter for all ids, since Postgres takes at most 65,535 parameters. */
export const isAnyOf = (column: PgColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${sql.param(ids)}::int[])`
