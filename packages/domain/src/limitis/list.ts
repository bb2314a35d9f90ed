import type { Email, OwnDomain } from '@kustos/contract/limitis'
import { emails, ownDomains, registrarSyncs } from '@kustos/database/tables'
import { eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { serializeDates } from '../platform/serialize-dates.ts'

export interface RegistrarList<Row> {
  readonly rows: Row[]
  /** Whole seconds since the last successful sync if later ones have failed; otherwise null. */
  readonly staleSeconds: number | null
}

/** Every own domain, by name. */
export async function listOwnDomains(context: Context): Promise<RegistrarList<OwnDomain>> {
  const { fqdn_ascii: _, updated_at: __, ...columns } = getTableColumns(ownDomains)
  const [rows, staleSeconds] = await Promise.all([
    context.db.select(columns).from(ownDomains).orderBy(ownDomains.fqdn_ascii),
    staleness(context),
  ])
  return { rows: rows.map(serializeDates), staleSeconds }
}

/** Every mailbox, by address. */
export async function listEmails(context: Context): Promise<RegistrarList<Email>> {
  const { updated_at: _, ...columns } = getTableColumns(emails)
  const [rows, staleSeconds] = await Promise.all([
    context.db.select(columns).from(emails).orderBy(emails.address),
    staleness(context),
  ])
  return { rows: rows.map(serializeDates), staleSeconds }
}

/** Lists that were imported from files are never stale. */
async function staleness({ db, now }: Context): Promise<number | null> {
  const [sync] = await db.select().from(registrarSyncs).where(eq(registrarSyncs.id, 1))
  if (!sync || sync.error === null || sync.succeeded_at === null) return null
  return Math.max(0, Math.floor((now().getTime() - sync.succeeded_at.getTime()) / 1000))
}
