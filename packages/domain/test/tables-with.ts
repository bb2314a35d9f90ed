import type { TestDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'

/** The tables with a row that contains the text, those of the job queue included. */
export async function tablesWith({ db, owner }: TestDatabase, text: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`)
  const found: string[] = []
  for (const { name } of rows) {
    const hit = await owner.db.execute<{ hit: boolean }>(
      sql`select exists (select from ${sql.raw(name)} as r where strpos(r::text, ${text}) > 0) as hit`,
    )
    if (hit.rows[0]?.hit) found.push(name)
  }
  return found
}
