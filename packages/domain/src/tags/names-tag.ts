import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Whether a list of tags has one of this name, with any value. */
export const namesTag = (tags: PgColumn, name: string): SQL =>
  sql`exists (select from unnest(${tags}) carried where split_part(carried, ':', 1) = ${name})`
