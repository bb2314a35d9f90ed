import type { ExternalDomain } from '@kustos/contract/external-domains'
import type { Transaction } from '@kustos/database/client'
import { externalDomains, watchedDomains } from '@kustos/database/tables'
import { eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { presentWatched, watchedColumns } from './watched.ts'

type Row = typeof externalDomains.$inferSelect & Parameters<typeof presentWatched>[0]

/** A domain that was just created is not watched yet. */
const unwatched = { registry_expires_at: null, mail_state: null }

export function presentExternalDomain(found: typeof externalDomains.$inferSelect | Row): ExternalDomain {
  const { fqdn_ascii: _, registry_expires_at, mail_state, ...row } = { ...unwatched, ...found }
  return { ...serializeDates(row), ...presentWatched({ registry_expires_at, mail_state }) }
}

/** External domains, ordered by name. */
export async function readExternalDomains(db: Transaction, where?: SQL): Promise<ExternalDomain[]> {
  const rows = await db
    .select({ ...getTableColumns(externalDomains), ...watchedColumns })
    .from(externalDomains)
    .leftJoin(watchedDomains, eq(watchedDomains.name, externalDomains.fqdn_ascii))
    .where(where)
    .orderBy(externalDomains.fqdn_ascii)
  return rows.map(presentExternalDomain)
}

/** Every external domain, ordered by name. */
export const listExternalDomains = ({ db }: Context): Promise<ExternalDomain[]> => readExternalDomains(db)
