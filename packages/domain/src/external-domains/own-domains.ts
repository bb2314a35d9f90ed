import type { OwnDomain } from '@kustos/contract/limitis'
import type { Transaction } from '@kustos/database/client'
import { ownDomains, watchedDomains } from '@kustos/database/tables'
import { eq, getTableColumns, type SQL } from 'drizzle-orm'
import { serializeDates } from '../platform/serialize-dates.ts'
import { presentWatched, watchedColumns } from './watched.ts'

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
