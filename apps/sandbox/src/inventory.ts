import { domainStatus, type TrackingData, trackingFreshnessSeconds } from '@kustos/contract/webs'
import { openDatabase } from '@kustos/database/client'
import { nodes, webs } from '@kustos/database/tables'
import { asc, isNull } from 'drizzle-orm'
import type { PanelNode } from './plesk/index.ts'
import type { HostedWeb } from './sites/index.ts'

/** What the outside world knows of the agency's webs, as of the start; hosts are in their ASCII form. */
export interface Inventory {
  readonly repositories: Readonly<Record<string, string>>
  readonly hosted: ReadonlyMap<string, HostedWeb>
  /** Hosts whose name is gone. */
  readonly offline: ReadonlySet<string>
  /** Hosts whose name points to somebody else's machine. */
  readonly extern: ReadonlySet<string>
  /** Where the others are, as staff have it. */
  readonly addresses: ReadonlyMap<string, string>
  /** The nodes with what they host. */
  readonly nodes: readonly PanelNode[]
}

export async function readInventory(databaseUrl: string): Promise<Inventory> {
  const database = openDatabase(databaseUrl, { name: 'kustos-sandbox', max: 1 })
  try {
    const rows = await database.db
      .select({
        id: webs.id,
        node_id: webs.node_id,
        host: webs.fqdn_ascii,
        fqdn: webs.fqdn,
        customer: webs.customer,
        name: webs.framework_name,
        topics: webs.topics,
        domain: webs.domain_status,
        address: webs.configured_ip,
        status: webs.status,
        sysuser: webs.sysuser,
        disk_usage: webs.disk_usage,
        sites: webs.sites,
        aliases: webs.aliases,
        repository: webs.repository,
        tracking: webs.tracking_data,
      })
      .from(webs)
      .where(isNull(webs.deleted_at))
      .orderBy(asc(webs.id))
    const machines = await database.db.select().from(nodes).orderBy(asc(nodes.id))
    const hostsWith = (status: number) =>
      new Set(rows.flatMap(({ host, domain }) => (domain === status ? [host] : [])))
    const latest = Math.max(0, ...rows.flatMap(({ tracking }) => timesOf(tracking)))
    return {
      repositories: Object.fromEntries(
        rows.flatMap(({ host, repository }) => (repository === null ? [] : [[host, repository]])),
      ),
      hosted: new Map(
        rows.map(({ host, fqdn, customer, name, topics, tracking }) => [
          host,
          { fqdn, customer, framework: name, topics, tracking: tracking && onPage(tracking, latest) },
        ]),
      ),
      offline: hostsWith(domainStatus.offline),
      extern: hostsWith(domainStatus.extern),
      addresses: new Map(rows.map(({ host, address }) => [host, address])),
      nodes: machines.map(({ id, name, plesk_fqdn }) => ({
        name,
        plesk_fqdn,
        subscriptions: rows
          .filter(({ node_id }) => node_id === id)
          .map((row) => ({
            ...row,
            sites: row.sites.map(({ fqdn }) => fqdn),
            aliases: row.aliases.map(({ fqdn }) => fqdn),
          })),
      })),
    }
  } finally {
    await database.close()
  }
}

const timesOf = (tracking: TrackingData | null): number[] =>
  tracking === null
    ? []
    : Object.values(tracking.tracking_services).flatMap((found) => found.map(({ timestamp }) => timestamp))

/**
 * A service that went stale is on its page no more. How long the sandbox stood still meanwhile changes nothing of that.
 * @param latest when any service of any web was seen last
 */
function onPage(tracking: TrackingData, latest: number): TrackingData {
  const services = Object.entries(tracking.tracking_services).map(([name, found]) => [
    name,
    found.filter(({ timestamp }) => latest - timestamp <= trackingFreshnessSeconds),
  ])
  return {
    ...tracking,
    tracking_services: Object.fromEntries(services) as TrackingData['tracking_services'],
  }
}
