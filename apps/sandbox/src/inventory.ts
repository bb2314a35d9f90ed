import { domainStatus, type TrackingData, trackingFreshnessSeconds } from '@kustos/contract/webs'
import { openDatabase } from '@kustos/database/client'
import { nodes, webs } from '@kustos/database/tables'
import { asc, isNull } from 'drizzle-orm'
import type { PleskNode } from './plesk/index.ts'
import type { HostedWeb } from './sites/index.ts'

/** The simulated services' data about the agency's webs since the start. Hosts are ASCII names. */
export interface Inventory {
  /** Repositories by host. */
  readonly repositories: Readonly<Record<string, string>>
  readonly hosted: ReadonlyMap<string, HostedWeb>
  /** Hosts whose name does not exist. */
  readonly offline: ReadonlySet<string>
  /** Hosts whose name points to someone else's machine. */
  readonly extern: ReadonlySet<string>
  /** The configured addresses by host. */
  readonly addresses: ReadonlyMap<string, string>
  readonly nodes: readonly PleskNode[]
}

export async function readInventory(databaseUrl: string): Promise<Inventory> {
  const database = openDatabase(databaseUrl, { name: 'kustos-sandbox', max: 1 })
  try {
    const rows = await database.db.select().from(webs).where(isNull(webs.deleted_at)).orderBy(asc(webs.id))
    const machines = await database.db.select().from(nodes).orderBy(asc(nodes.id))
    const hostsWith = (status: number) =>
      new Set(rows.filter((web) => web.domain_status === status).map((web) => web.fqdn_ascii))
    const latestSeen = rows
      .flatMap((web) => timestampsOf(web.tracking_data))
      .reduce((latest, seen) => Math.max(latest, seen), 0)
    return {
      repositories: Object.fromEntries(
        rows.flatMap(({ fqdn_ascii, repository }) => (repository === null ? [] : [[fqdn_ascii, repository]])),
      ),
      hosted: new Map(
        rows.map(({ fqdn_ascii, fqdn, customer, framework_name: framework, topics, tracking_data }) => {
          const tracking = tracking_data && withoutStaleServices(tracking_data, latestSeen)
          return [fqdn_ascii, { fqdn, customer, framework, topics, tracking }]
        }),
      ),
      offline: hostsWith(domainStatus.offline),
      extern: hostsWith(domainStatus.extern),
      addresses: new Map(rows.map((web) => [web.fqdn_ascii, web.configured_ip])),
      nodes: machines.map(({ id, name, plesk_fqdn }) => ({
        name,
        plesk_fqdn,
        subscriptions: rows
          .filter(({ node_id }) => node_id === id)
          .map((web) => ({
            ...web,
            sites: web.sites.map(({ fqdn }) => fqdn),
            aliases: web.aliases.map(({ fqdn }) => fqdn),
          })),
      })),
    }
  } finally {
    await database.close()
  }
}

const timestampsOf = (tracking: TrackingData | null): number[] =>
  Object.values(tracking?.tracking_services ?? {}).flatMap((found) => found.map(({ timestamp }) => timestamp))

/**
 * A stale service is no longer on its page.
 * @param latestSeen of any service of any web, because the time that the sandbox was stopped must not make services stale
 */
function withoutStaleServices(tracking: TrackingData, latestSeen: number): TrackingData {
  const services = Object.entries(tracking.tracking_services).map(([name, found]) => [
    name,
    found.filter(({ timestamp }) => latestSeen - timestamp <= trackingFreshnessSeconds),
  ])
  return {
    ...tracking,
    tracking_services: Object.fromEntries(services) as TrackingData['tracking_services'],
  }
}
