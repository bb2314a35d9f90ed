import type pg from 'pg'
import { BackupRefusal } from './damage.ts'
import type { Partition } from './header.ts'
import { quoted } from './tables.ts'

/**
 * Empties tables that migrations have just made, and takes away what would act on the rows that are copied into them:
 * triggers, since the rows tell of nothing new, and foreign keys, since tables come in any order.
 * @returns gives both back, which finds rows whose key leads nowhere
 */
export async function bareTables(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  for (const table of tables) await client.query(`alter table ${quoted(table)} disable trigger user`)
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select relname as table, quote_ident(conname) as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and relnamespace = 'public'::regnamespace and relname = any ($1)
    order by relname, conname`,
    [tables],
  )
  for (const { table, name } of keys)
    await client.query(`alter table ${quoted(table)} drop constraint ${name}`)
  await client.query(`truncate ${tables.map(quoted).join(', ')}`)
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${quoted(table)} add constraint ${name} ${definition}`)
    for (const table of tables) await client.query(`alter table ${quoted(table)} enable trigger user`)
  }
}

/** As Postgres writes a time at UTC. */
const time = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/

/** Makes partitions as the monitoring does (drizzle/0010). */
export async function makePartitions(client: pg.Client, partitions: readonly Partition[]): Promise<void> {
  for (const { table, of, from, to } of partitions) {
    if (!time.test(from) || !time.test(to))
      throw new BackupRefusal(`The partition ${table} is not of a range of time, but from ${from} to ${to}.`)
    await client.query(`create table ${quoted(table)} (like ${quoted(of)} including all)`)
    await client.query(
      `alter table ${quoted(of)} attach partition ${quoted(table)} for values from ('${from}') to ('${to}')`,
    )
  }
}
