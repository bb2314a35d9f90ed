import type { Email, OwnDomain } from '@kustos/contract/limitis'
import { emails } from '@kustos/database/tables'
import { getTableColumns } from 'drizzle-orm'
import { readOwnDomains } from '../external-domains/index.ts'
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

export function listEmails(context: Context): Promise<RegistrarList<Email>> {
  const { updated_at: _, ...columns } = getTableColumns(emails)
  return withStaleness(context, context.db.select(columns).from(emails).orderBy(emails.address))
}

/** Lists that were imported from files are never stale. */
async function withStaleness<Row extends object>(context: Context, query: PromiseLike<Row[]>) {
  const [rows, sync] = await Promise.all([query, readSync(context.db, registrarLists)])
  return { rows: rows.map(serializeDates), staleSeconds: staleSeconds(context, sync, sync.error !== null) }
}
