import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { ensureApplicationRole } from './application-role.ts'
import { ownerSentence } from './ownership.ts'

const folder = fileURLToPath(new URL('../../../drizzle', import.meta.url))

/** "kust" in ASCII; any number that nothing else in this database locks. */
const lockKey = 0x6b757374

/** A step of the schema: a file in drizzle/. */
export interface Migration {
  /** The file's name without its extension, such as 0000_start. */
  readonly tag: string
  /** When it was created, in milliseconds since 1970. Migrations are applied in this order. */
  readonly at: number
  /** SHA-256 of the file in hexadecimal. */
  readonly hash: string
  readonly statements: readonly string[]
}

/** All migrations of this program, the oldest first. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const journal: { entries: { tag: string }[] } = JSON.parse(
    await readFile(`${folder}/meta/_journal.json`, 'utf8'),
  )
  return readMigrationFiles({ migrationsFolder: folder }).map(({ sql, folderMillis, hash }, index) => ({
    tag: journal.entries[index]?.tag ?? '',
    at: folderMillis,
    hash,
    statements: sql,
  }))
}

/** drizzle-kit's table of applied migrations. */
const applied = 'drizzle.__drizzle_migrations'

/** The last applied migration, or null. */
export async function schemaOf(
  client: pg.ClientBase,
): Promise<{ readonly at: number; readonly hash: string } | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [applied],
  )
  if (!found[0]?.there) return null
  const { rows } = await client.query<{ hash: string; created_at: string }>(
    `select hash, created_at from ${applied} order by created_at desc limit 1`,
  )
  return rows[0] ? { at: Number(rows[0].created_at), hash: rows[0].hash } : null
}

/** Applies the missing migrations in the caller's transaction. */
export async function applyMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    `create table if not exists ${applied} (id serial primary key, hash text not null, created_at bigint)`,
  )
  const last = (await schemaOf(client))?.at ?? 0
  for (const { at, hash, statements } of migrations) {
    if (at <= last) continue
    for (const statement of statements) await client.query(statement)
    await client.query(`insert into ${applied} (hash, created_at) values ($1, $2)`, [hash, at])
  }
}

/** Creates the role that migrations grant to, and begins a transaction that excludes other migrations of this database. */
export async function beginMigration(client: pg.Client): Promise<void> {
  await ensureApplicationRole(client)
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [lockKey])
}

/**
 * Migrates a database to the latest schema. Safe to repeat and to run from several processes at once.
 * @param url of the login that owns the tables
 * @param upTo the tag of the last migration, for an older schema
 * @throws Error with a sentence for the operator if the login may not create the application's role or does not own the tables
 */
export async function migrate(url: string, upTo?: string): Promise<void> {
  const known = await readMigrations()
  const end = upTo === undefined ? known.length : known.findIndex(({ tag }) => tag === upTo) + 1
  if (end === 0) throw new RangeError(`There is no migration ${upTo}`)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await beginMigration(client)
    await applyMigrations(client, known.slice(0, end))
    await client.query('commit')
  } catch (error) {
    const sentence = ownerSentence(error, client)
    throw sentence === null ? error : new Error(sentence, { cause: error })
  } finally {
    await client.end()
  }
}
