import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { ensureApplicationRole } from './application-role.ts'

const folder = fileURLToPath(new URL('../../../drizzle', import.meta.url))

/** Any number will do as long as nothing else in this database locks it: the ASCII codes of "kust". */
const lock = 0x6b757374

/**
 * Brings a database to the newest schema; safe to call twice and from several processes at once, since drizzle's own
 * migrator takes no lock.
 * @param url of the login that owns the database's tables
 * @throws Error with a sentence for the operator where that login may not make the application's role
 */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await ensureApplicationRole(client)
    await applyMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    // Ends the lock too.
    await client.end()
  }
}
