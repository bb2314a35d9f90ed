import type { ExternalDomain } from '@kustos/contract/external-domains'
import { externalDomains } from '@kustos/database/tables'
import type { Context } from '../platform/context.ts'
import { serializeDates } from '../platform/serialize-dates.ts'

export const presentExternalDomain = ({
  fqdn_ascii: _,
  ...row
}: typeof externalDomains.$inferSelect): ExternalDomain => serializeDates(row)

/** Every external domain, ordered by name. */
export async function listExternalDomains({ db }: Context): Promise<ExternalDomain[]> {
  const rows = await db.select().from(externalDomains).orderBy(externalDomains.fqdn_ascii)
  return rows.map(presentExternalDomain)
}
