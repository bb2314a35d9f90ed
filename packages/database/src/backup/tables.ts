import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readMigrations } from '../migrations.ts'
import { BackupRefusal } from './damage.ts'
import type { Header, Partition, Section } from './header.ts'

/** Nobody stays signed in over a restore, and who has just failed to sign in is no longer held back. */
export const leftOut: readonly string[] = ['sessions', 'sign_in_attempts']

/** What a schema holds, by what drizzle-kit noted of it as its last migration was made. */
export interface Tables {
  readonly sections: readonly Section[]
  readonly sequences: readonly string[]
}

interface Snapshot {
  tables: Record<string, { name: string; columns: Record<string, { identity?: { name: string } }> }>
}

/**
 * The tables of a schema. They are not read from the database, where somebody may have made others, which no restore
 * would know what to do with.
 * @param number of its last migration
 */
export async function tablesOf(number: number): Promise<Tables> {
  const file = new URL(
    `../../../../drizzle/meta/${String(number).padStart(4, '0')}_snapshot.json`,
    import.meta.url,
  )
  const { tables }: Snapshot = JSON.parse(await readFile(fileURLToPath(file), 'utf8'))
  const all = Object.values(tables)
  return {
    sections: all.map(({ name, columns }) => ({ table: name, columns: Object.keys(columns) })),
    sequences: all.flatMap(({ columns }) =>
      Object.values(columns).flatMap(({ identity }) => (identity ? [identity.name] : [])),
    ),
  }
}

/** The migration that a schema ends with, and how many came before it. @throws BackupRefusal for an unknown one */
export async function knownSchema(
  schema: { readonly at: number; readonly hash: string },
  of: 'The database' | 'The backup',
): Promise<{ readonly number: number; readonly schema: Header['schema'] }> {
  const known = await readMigrations()
  const number = known.findIndex(({ at, hash }) => at === schema.at && hash === schema.hash)
  const found = known[number]
  if (found) return { number, schema: { tag: found.tag, at: found.at, hash: found.hash } }
  const newest = known.at(-1)
  throw new BackupRefusal(
    newest && schema.at > newest.at
      ? `${of} has a newer schema than this program knows, whose newest is ${newest.tag}: take a newer Kustos.`
      : `${of} has a schema that this program does not know.`,
  )
}

/** The partitions of these tables. */
export async function partitionsOf(
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
    const [, from, to] = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/.exec(bounds) ?? []
    if (from === undefined || to === undefined)
      throw new BackupRefusal(`The partition ${names.table} is not of a range of time, but: ${bounds}.`)
    return { ...names, from, to }
  })
}

export const quoted = (name: string): string => `public.${pg.escapeIdentifier(name)}`

/** A table and its columns, as COPY takes them. */
export const copied = ({ table, columns }: Section): string =>
  `${quoted(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`
