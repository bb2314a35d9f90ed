import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { ensureApplicationRole } from './application-role.ts'
import { createAppliedTable, findMissing, recordMigration } from './applied-migrations.ts'
import { type ApplyOptions, applyMigration, statementsForTransaction } from './apply-migration.ts'
import { keepAlive } from './keep-alive.ts'
import { ownerSentence } from './ownership.ts'

const folder = fileURLToPath(new URL('../../../drizzle', import.meta.url))

/** "kust" in ASCII; any number that nothing else in this database locks. */
const lockKey = 0x6b757374
const lockPollMs = 200

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

/** Applies the missing migrations in the caller's transaction, which nobody else can see into yet. */
export async function applyMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<void> {
  await createAppliedTable(client)
  for (const migration of await findMissing(client, migrations)) {
    for (const statement of statementsForTransaction(migration)) await client.query(statement)
    await recordMigration(client, migration)
  }
}

/** Creates the role that migrations grant to, and begins a transaction that excludes other migrations of this database. */
export async function beginMigration(client: pg.Client): Promise<void> {
  await ensureApplicationRole(client)
  await client.query('begin')
  await waitForLock(client, 'pg_try_advisory_xact_lock')
}

/**
 * Asks for the lock of migrations until it is free. A statement that waits for it would have a snapshot, and an index that is
 * created concurrently under this lock would wait for that.
 */
async function waitForLock(
  client: pg.Client,
  tryLock: 'pg_try_advisory_lock' | 'pg_try_advisory_xact_lock',
): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`select ${tryLock}($1) as locked`, [lockKey])
    if (rows[0]?.locked) return
    await sleep(lockPollMs)
  }
}

export interface MigrateOptions extends ApplyOptions {
  /** All of this program by default. */
  readonly migrations?: readonly Migration[]
}

/**
 * Migrates a database to the latest schema while programs use it. Safe to repeat and to run from several processes at once: the
 * lock belongs to the session, since a migration that creates an index concurrently cannot run in a transaction.
 * @param url of the login that owns the tables
 * @param upTo the tag of the last migration, for an older schema
 * @throws Error with a sentence for the operator if the login may not create the application's role or does not own the tables,
 *   if a lock is not free in time, or an applied migration has changed
 */
export async function migrate(
  url: string,
  upTo?: string,
  { migrations, ...options }: MigrateOptions = {},
): Promise<void> {
  const known = migrations ?? (await readMigrations())
  const end = upTo === undefined ? known.length : known.findIndex(({ tag }) => tag === upTo) + 1
  if (end === 0) throw new RangeError(`There is no migration ${upTo}`)
  const client = new pg.Client({
    connectionString: url,
    application_name: 'kustos-migrate',
    connectionTimeoutMillis: 5_000,
    ...keepAlive,
    options: '-c statement_timeout=0',
  })
  // A broken connection also fails the statement under way.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await ensureApplicationRole(client)
    await waitForLock(client, 'pg_try_advisory_lock')
    await createAppliedTable(client)
    for (const migration of await findMissing(client, known.slice(0, end)))
      await applyMigration(client, migration, options)
  } catch (error) {
    const sentence = ownerSentence(error, client)
    throw sentence === null ? error : new Error(sentence, { cause: error })
  } finally {
    await client.end()
  }
}
