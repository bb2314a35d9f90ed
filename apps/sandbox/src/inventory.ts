import { domainStatus } from '@kustos/contract/webs'
import { openDatabase } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { isNull } from 'drizzle-orm'
import type { HostedWeb } from './sites/index.ts'

/** What the outside world knows of the agency's webs, as of the start; hosts are in their ASCII form. */
export interface Inventory {
  readonly repositories: Readonly<Record<string, string>>
  readonly hosted: ReadonlyMap<string, HostedWeb>
  /** Hosts whose name is gone. */
  readonly offline: ReadonlySet<string>
  /** Hosts whose name points to somebody else's machine. */
  readonly extern: ReadonlySet<string>
}

export async function readInventory(databaseUrl: string): Promise<Inventory> {
  const database = openDatabase(databaseUrl, { name: 'kustos-sandbox', max: 1 })
  try {
    const rows = await database.db
      .select({
        host: webs.fqdn_ascii,
        fqdn: webs.fqdn,
        customer: webs.customer,
        name: webs.framework_name,
        topics: webs.topics,
        domain: webs.domain_status,
        repository: webs.repository,
      })
      .from(webs)
      .where(isNull(webs.deleted_at))
    const hostsWith = (status: number) =>
      new Set(rows.flatMap(({ host, domain }) => (domain === status ? [host] : [])))
    return {
      repositories: Object.fromEntries(
        rows.flatMap(({ host, repository }) => (repository === null ? [] : [[host, repository]])),
      ),
      hosted: new Map(
        rows.map(({ host, fqdn, customer, name, topics }) => [
          host,
          { fqdn, customer, framework: name, topics },
        ]),
      ),
      offline: hostsWith(domainStatus.offline),
      extern: hostsWith(domainStatus.extern),
    }
  } finally {
    await database.close()
  }
}
