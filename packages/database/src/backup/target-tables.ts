import type pg from 'pg'
import { BackupError } from './errors.ts'
import type { Partition } from './header.ts'
import { qualifiedName } from './schema.ts'

/**
 * Empties the tables, disables their triggers (restored rows are not changes) and drops their foreign keys (tables come in any
 * order).
 * @returns a function that enables and creates them again, which fails for rows with a dangling key
 */
export async function emptyTables(
  client: pg.Client,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  for (const table of tables) await client.query(`alter table ${qualifiedName(table)} disable trigger user`)
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select relname as table, quote_ident(conname) as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and relnamespace = 'public'::regnamespace and relname = any ($1)
    order by relname, conname`,
    [tables],
  )
  for (const { table, name } of keys)
    await client.query(`alter table ${qualifiedName(table)} drop constraint ${name}`)
  await client.query(`truncate ${tables.map(qualifiedName).join(', ')}`)
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${qualifiedName(table)} add constraint ${name} ${definition}`)
    for (const table of tables) await client.query(`alter table ${qualifiedName(table)} enable trigger user`)
  }
}

/** A time at UTC as PostgreSQL writes it. */
const time = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/

/** Creates partitions like the monitoring does (drizzle/0010). */
export async function createPartitions(client: pg.Client, partitions: readonly Partition[]): Promise<void> {
  for (const { table, of, from, to } of partitions) {
    if (!time.test(from) || !time.test(to))
      throw new BackupError(`The partition ${table} is not of a range of time, but from ${from} to ${to}.`)
    await client.query(`create table ${qualifiedName(table)} (like ${qualifiedName(of)} including all)`)
    await client.query(
      `alter table ${qualifiedName(of)} attach partition ${qualifiedName(table)} for values from ('${from}') to ('${to}')`,
    )
  }
}
