import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readMigrations } from '../migrations.ts'
import { BackupError } from './errors.ts'
import type { Header, Partition, Section } from './header.ts'

/** Sessions, sign-in limits and leases end with a restore. Reports are printed again. */
export const leftOut: readonly string[] = [
  'sessions',
  'email_changes',
  'sign_in_attempts',
  'sign_in_limits',
  'leases',
  'report_pdfs',
]

interface Snapshot {
  tables: Record<string, { name: string; columns: Record<string, { identity?: { name: string } }> }>
}

/**
 * The tables of a schema, as drizzle-kit recorded them. The database may have others, which could not be restored.
 * @param number of the last migration, from 0
 */
export async function readTables(number: number) {
  const file = new URL(
    `../../../../drizzle/meta/${String(number).padStart(4, '0')}_snapshot.json`,
    import.meta.url,
  )
  const { tables }: Snapshot = JSON.parse(await readFile(fileURLToPath(file), 'utf8'))
  const all = Object.values(tables)
  return {
    sections: all.map(({ name, columns }): Section => ({ table: name, columns: Object.keys(columns) })),
    sequences: all.flatMap(({ columns }) =>
      Object.values(columns).flatMap(({ identity }) => (identity ? [identity.name] : [])),
    ),
  }
}

/** The migration that a schema ends with and its number, from 0. @throws BackupError for an unknown one */
export async function findMigration(
  schema: { readonly at: number; readonly hash: string },
  of: 'The database' | 'The backup',
): Promise<{ readonly number: number; readonly schema: Header['schema'] }> {
  const known = await readMigrations()
  const number = known.findIndex(({ at, hash }) => at === schema.at && hash === schema.hash)
  const found = known[number]
  if (found) return { number, schema: { tag: found.tag, at: found.at, hash: found.hash } }
  const newest = known.at(-1)
  throw new BackupError(
    newest && schema.at > newest.at
      ? `${of} has a newer schema than this program knows, whose newest is ${newest.tag}: take a newer Kustos.`
      : `${of} has a schema that this program does not know.`,
  )
}

export async function readPartitions(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<readonly Partition[]> {
  const { rows } = await client.query<{ table: string; of: string; bounds: string }>(
    `select part.relname as table, parent.relname as of, pg_get_expr(part.relpartbound, part.oid) as bounds
    from pg_inherits
      join pg_class part on part.oid = inhrelid
      join pg_class parent on parent.oid = inhparent
    where parent.relnamespace = 'public'::regnamespace and parent.relkind = 'p' and parent.relname = any ($1)
    order by part.relname`,
    [tables],
  )
  return rows.map(({ bounds, ...names }) => {
    if (bounds === 'DEFAULT') return { ...names, from: null, to: null }
    const [, from, to] = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/.exec(bounds) ?? []
    if (from === undefined || to === undefined)
      throw new BackupError(`The partition ${names.table} is not of a range of time, but: ${bounds}.`)
    return { ...names, from, to }
  })
}

export const qualifiedName = (name: string): string => `public.${pg.escapeIdentifier(name)}`

/** A table and its columns for COPY. */
export const copyTarget = ({ table, columns }: Section): string =>
  `${qualifiedName(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`
