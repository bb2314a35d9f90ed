import type { Email, OwnDomain } from '@kustos/contract/limitis'
import type { Transaction } from '@kustos/database/client'
import { emails, ownDomains, watchedDomains } from '@kustos/database/tables'
import { eq, getTableColumns, type SQL } from 'drizzle-orm'
import { presentWatched, watchedColumns } from '../external-domains/index.ts'
import type { Context } from '../platform/context.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { readSync, staleSeconds } from '../platform/sync-state.ts'
import { registrarLists } from './sync.ts'

export interface RegistrarList<Row> {
  readonly rows: Row[]
  /** Whole seconds since the last successful sync if later ones have failed; otherwise null. */
  readonly staleSeconds: number | null
}

export function listOwnDomains(context: Context): Promise<RegistrarList<OwnDomain>> {
  return withStaleness(context, readOwnDomains(context.db))
}

/** Domains at the registrar, ordered by name. */
export async function readOwnDomains(db: Transaction, where?: SQL): Promise<OwnDomain[]> {
  const { fqdn_ascii: _, updated_at: __, ...columns } = getTableColumns(ownDomains)
  const rows = await db
    .select({ ...columns, ...watchedColumns })
    .from(ownDomains)
    .leftJoin(watchedDomains, eq(watchedDomains.name, ownDomains.fqdn_ascii))
    .where(where)
    .orderBy(ownDomains.fqdn_ascii)
  return rows.map(({ registry_expires_at, mail_state, ...row }) => ({
    ...serializeDates(row),
    ...presentWatched({ registry_expires_at, mail_state }, row.expires_at),
  }))
}

export function listEmails(context: Context): Promise<RegistrarList<Email>> {
  const { updated_at: _, ...columns } = getTableColumns(emails)
  return withStaleness(context, context.db.select(columns).from(emails).orderBy(emails.address))
}

/** Lists that were imported from files are never stale. */
async function withStaleness<Row extends object>(context: Context, query: PromiseLike<Row[]>) {
  const [rows, sync] = await Promise.all([query, readSync(context.db, registrarLists)])
  return { rows: rows.map(serializeDates), staleSeconds: staleSeconds(context, sync, sync.error !== null) }
}
