import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { inSnapshot } from './json-rows.ts'

const dialect = new PgDialect()

/** A plan takes 3 MiB of each connection's memory for a statement of 40 kB, and is kept until the connection is closed. */
const maxStatements = 8

/**
 * Returns a function that reads rows with a statement which each connection plans once, whatever the values of its parameters:
 * for large statements, which take longer to plan than to execute. Values that choose other rows should be parameters and not
 * change the text, since only the first texts are planned once.
 */
export function planOnce(): <Row extends pg.QueryResultRow>(pool: pg.Pool, statement: SQL) => Promise<Row[]> {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    if (!names.has(text) && names.size < maxStatements)
      names.set(text, createHash('sha256').update(text).digest('base64url'))
    return names.get(text)
  }
  return async <Row extends pg.QueryResultRow>(pool: pg.Pool, statement: SQL) => {
    const { sql: text, params } = dialect.sqlToQuery(statement)
    const name = nameOf(text)
    if (name === undefined) return (await pool.query<Row>(text, params)).rows
    return inSnapshot(pool, async (client) => {
      // Otherwise Postgres plans it for the values of each execution if that seems to be cheaper.
      await client.query('set local plan_cache_mode = force_generic_plan')
      return (await client.query<Row>({ name, text }, params)).rows
    })
  }
}
