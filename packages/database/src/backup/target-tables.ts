import type pg from 'pg'
import { BackupError } from './errors.ts'
import type { Partition } from './header.ts'
import { qualifiedName, readPartitions } from './schema.ts'

/**
 * Empties the tables, drops the partitions that migrations have created, disables triggers (restored rows are not changes), and
 * drops foreign keys (tables come in any order) and GIN indexes (which are built much faster than they are added to).
 * @returns a function that enables and creates them again, which fails for rows with a dangling key
 */
export async function prepareForRestore(
  client: pg.Client,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  for (const { table } of await readPartitions(client, tables))
    await client.query(`drop table ${qualifiedName(table)}`)
  for (const table of tables) await client.query(`alter table ${qualifiedName(table)} disable trigger user`)
  const { rows: foreignKeys } = await client.query<{ table: string; name: string; definition: string }>(
    `select relname as table, quote_ident(conname) as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and relnamespace = 'public'::regnamespace and relname = any ($1)
    order by relname, conname`,
    [tables],
  )
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${qualifiedName(table)} drop constraint ${name}`)
  await client.query(`truncate ${tables.map(qualifiedName).join(', ')}`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index join pg_class i on i.oid = indexrelid join pg_am on pg_am.oid = i.relam join pg_class t on t.oid = indrelid
    where amname = 'gin' and t.relnamespace = 'public'::regnamespace and t.relname = any ($1)`,
    [tables],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes) await client.query(definition)
    for (const { table, name, definition } of foreignKeys)
      await client.query(`alter table ${qualifiedName(table)} add constraint ${name} ${definition}`)
    for (const table of tables) await client.query(`alter table ${qualifiedName(table)} enable trigger user`)
  }
}

const boundPattern = /^\d{4,6}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?\+00)?$/

const recordTables: ReadonlySet<string> = new Set(['tracking_records', 'tracking_images'])

/** Creates partitions as monitoring, the audit log and the records of audits do (drizzle/0010, 0027, 0087 and 0091). */
export async function createPartitions(client: pg.Client, partitions: readonly Partition[]): Promise<void> {
  for (const { table, of, from, to } of partitions) {
    if (of === 'log_entries') await client.query('select create_log_table($1)', [table])
    else if (recordTables.has(of)) await client.query('select create_record_table($1, $2)', [table, of])
    else await client.query(`create table ${qualifiedName(table)} (like ${qualifiedName(of)} including all)`)
    await client.query(
      `alter table ${qualifiedName(of)} attach partition ${qualifiedName(table)} ${buildBounds(table, from, to)}`,
    )
  }
}

function buildBounds(table: string, from: string | null, to: string | null): string {
  if (from === null && to === null) return 'default'
  if (from === null || to === null || !boundPattern.test(from) || !boundPattern.test(to))
    throw new BackupError(`The partition ${table} has no valid time range: ${from} to ${to}.`)
  return `for values from ('${from}') to ('${to}')`
}
