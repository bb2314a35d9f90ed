import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { ensureApplicationRole } from './application-role.ts'
import { ownerSentence } from './ownership.ts'

const folder = fileURLToPath(new URL('../../../drizzle', import.meta.url))

/** Any number will do as long as nothing else in this database locks it: the ASCII codes of "kust". */
const lock = 0x6b757374

/** A step of the schema: a file in drizzle/. */
export interface Migration {
  /** The file's name without its ending: 0000_start. */
  readonly tag: string
  /** When it was made, in milliseconds since 1970; their order is this one's. */
  readonly at: number
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly hash: string
  readonly statements: readonly string[]
}

/** All that this program knows, the oldest first; a schema's version is the last one that made it. */
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

/** The table in which drizzle-kit looks for what has been applied. */
const applied = 'drizzle.__drizzle_migrations'

/** The last migration that a database has had; null for none. */
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

/** Applies those of the migrations that the database has not had, within the caller's transaction. */
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

/** Lets nobody else migrate this database until the connection ends, and makes the role that migrations grant to. */
export async function prepareToMigrate(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lock])
  await ensureApplicationRole(client)
}

/**
 * Brings a database to the newest schema; safe to call twice and from several processes at once.
 * @param url of the login that owns the database's tables
 * @param upTo the last migration's tag, for an older schema than the newest
 * @throws Error with a sentence for the operator where that login may not make the application's role, or owns no tables
 */
export async function migrate(url: string, upTo?: string): Promise<void> {
  const known = await readMigrations()
  const end = upTo === undefined ? known.length : known.findIndex(({ tag }) => tag === upTo) + 1
  if (end === 0) throw new RangeError(`There is no migration ${upTo}`)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await prepareToMigrate(client)
    await client.query('begin')
    await applyMigrations(client, known.slice(0, end))
    await client.query('commit')
  } catch (error) {
    const sentence = ownerSentence(error, client)
    throw sentence === null ? error : new Error(sentence, { cause: error })
  } finally {
    // Ends the lock too, and what was not committed.
    await client.end()
  }
}
