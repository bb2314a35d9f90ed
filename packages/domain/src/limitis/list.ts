import type { Email, OwnDomain } from '@kustos/contract/limitis'
import { emails, ownDomains, registrarSyncs } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'

export interface RegistrarList<Row> {
  readonly rows: Row[]
  /** Whole seconds since the last successful sync if later ones have failed; otherwise null. */
  readonly staleFor: number | null
}

/** Every own domain, by name. */
export async function listOwnDomains(context: Context): Promise<RegistrarList<OwnDomain>> {
  const [rows, staleFor] = await Promise.all([
    context.db.select().from(ownDomains).orderBy(ownDomains.fqdn_ascii),
    staleness(context),
  ])
  return { rows: rows.map(presentOwnDomain), staleFor }
}

/** Every mailbox, by address. */
export async function listEmails(context: Context): Promise<RegistrarList<Email>> {
  const [rows, staleFor] = await Promise.all([
    context.db.select().from(emails).orderBy(emails.address),
    staleness(context),
  ])
  return { rows: rows.map(presentEmail), staleFor }
}

const presentOwnDomain = (row: typeof ownDomains.$inferSelect): OwnDomain => ({
  id: row.id,
  customer: row.customer,
  fqdn: row.fqdn,
  status: row.status,
  created_at: row.created_at.toISOString(),
  mname: row.mname,
  checked_at: row.checked_at?.toISOString() ?? null,
  check_error: row.check_error,
  check_error_code: row.check_error_code,
  check_error_params: row.check_error_params,
})

const presentEmail = (row: typeof emails.$inferSelect): Email => ({
  id: row.id,
  customer: row.customer,
  address: row.address,
  type: row.type,
  created_at: row.created_at.toISOString(),
})

/** Lists that were imported from files are never stale. */
async function staleness({ db, now }: Context): Promise<number | null> {
  const [sync] = await db.select().from(registrarSyncs).where(eq(registrarSyncs.id, 1))
  if (!sync || sync.error === null || sync.succeeded_at === null) return null
  return Math.max(0, Math.floor((now().getTime() - sync.succeeded_at.getTime()) / 1000))
}
