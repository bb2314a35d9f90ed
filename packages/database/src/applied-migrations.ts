import type pg from 'pg'
import type { Migration } from './migrations.ts'

/** drizzle-kit's table of applied migrations. */
const applied = 'drizzle.__drizzle_migrations'

interface AppliedMigration {
  readonly at: number
  readonly hash: string
}

export async function createAppliedTable(client: pg.ClientBase): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    `create table if not exists ${applied} (id serial primary key, hash text not null, created_at bigint)`,
  )
}

/** The last applied migration, or null. */
export async function readLastMigration(client: pg.ClientBase): Promise<AppliedMigration | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [applied],
  )
  if (!found[0]?.there) return null
  return (await readApplied(client)).at(-1) ?? null
}

async function readApplied(client: pg.ClientBase): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<{ hash: string; created_at: string }>(
    `select hash, created_at from ${applied} order by created_at`,
  )
  return rows.map(({ hash, created_at }) => ({ hash, at: Number(created_at) }))
}

/**
 * Returns the migrations that the database lacks, in order. Each is looked up, because one that was created earlier may have been
 * merged after the last applied one. Applied migrations that this program does not know belong to a newer one.
 * @throws Error with a sentence if the contents of an applied migration differ
 */
export async function findMissing(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const hashes = new Map((await readApplied(client)).map(({ at, hash }) => [at, hash]))
  return migrations.filter(({ tag, at, hash }) => {
    const appliedHash = hashes.get(at)
    if (appliedHash !== undefined && appliedHash !== hash)
      throw new Error(
        `The migration ${tag} was applied to this database with other contents: run the Kustos that migrated it, or a later release of that.`,
      )
    return appliedHash === undefined
  })
}

export async function recordMigration(client: pg.ClientBase, { hash, at }: Migration): Promise<void> {
  await client.query(`insert into ${applied} (hash, created_at) values ($1, $2)`, [hash, at])
}
