import type { ExternalDomain } from '@kustos/contract/external-domains'
import { externalDomains } from '@kustos/database/tables'
import type { Context } from '../platform/context.ts'

type Row = typeof externalDomains.$inferSelect

export const presentExternalDomain = (row: Row): ExternalDomain => ({
  id: row.id,
  customer: row.customer,
  fqdn: row.fqdn,
  mname: row.mname,
  status: row.status,
  domainprovider: row.domainprovider,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  checked_at: row.checked_at?.toISOString() ?? null,
  check_error: row.check_error,
  check_error_code: row.check_error_code,
  check_error_params: row.check_error_params,
})

/** Every external domain, ordered by name. */
export async function listExternalDomains({ db }: Context): Promise<ExternalDomain[]> {
  const rows = await db.select().from(externalDomains).orderBy(externalDomains.fqdn_ascii)
  return rows.map(presentExternalDomain)
}
