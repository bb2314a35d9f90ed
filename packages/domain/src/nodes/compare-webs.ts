import { type DiscoveredWeb, type DiscoveryFact, discoveryStates } from '@kustos/contract/nodes'
import type { discoveredWebs, webs } from '@kustos/database/tables'

export type Found = typeof discoveredWebs.$inferSelect
export type Known = Pick<
  typeof webs.$inferSelect,
  'id' | 'fqdn' | 'fqdn_ascii' | 'customer' | 'node_id' | 'status' | 'sysuser' | 'sites' | 'aliases'
>

/**
 * Compares what a node has with webs.
 * @param known the webs of the node, and those of its names elsewhere; without deleted ones
 * @param isComplete whether the node has no others; otherwise no web is known to be gone
 * @returns what needs attention first
 */
export function compareWebs(
  nodeId: number,
  found: readonly Found[],
  known: readonly Known[],
  isComplete: boolean,
): DiscoveredWeb[] {
  const byName = new Map(known.map((web) => [web.fqdn_ascii, web]))
  const foundNames = new Set(
    found.flatMap(({ fqdn_ascii, sites, aliases }) => [fqdn_ascii, ...sites, ...(aliases ?? [])]),
  )
  const present = found.map((row): DiscoveredWeb => {
    const web = byName.get(row.fqdn_ascii) ?? null
    const differences = web === null ? [] : findDifferences(nodeId, row, web)
    return {
      fqdn: row.fqdn,
      state: web === null ? 'new' : differences.length > 0 ? 'changed' : 'unchanged',
      web_id: web?.id ?? null,
      differences,
      customer: web?.customer ?? row.owner,
      sysuser: row.sysuser,
      php_version: row.php_version,
      databases: [...row.databases],
      sites: [...row.sites],
      aliases: [...(row.aliases ?? [])],
    }
  })
  const missing = known
    .filter(({ node_id, fqdn_ascii }) => isComplete && node_id === nodeId && !foundNames.has(fqdn_ascii))
    .map(
      (web): DiscoveredWeb => ({
        fqdn: web.fqdn,
        state: 'missing',
        web_id: web.id,
        differences: [],
        customer: web.customer,
        sysuser: web.sysuser,
        php_version: null,
        databases: [],
        sites: web.sites.map(({ fqdn }) => fqdn),
        aliases: web.aliases.map(({ fqdn }) => fqdn),
      }),
    )
  const rank = ({ state }: DiscoveredWeb) => discoveryStates.indexOf(state)
  return [...present, ...missing].sort((a, b) => rank(a) - rank(b) || a.fqdn.localeCompare(b.fqdn))
}

/** Facts that could not be read do not differ. */
export function findDifferences(nodeId: number, found: Found, web: Known): DiscoveryFact[] {
  const differs: Readonly<Record<DiscoveryFact, boolean>> = {
    node: web.node_id !== nodeId,
    sysuser: found.sysuser !== null && found.sysuser !== web.sysuser,
    status: found.status !== null && found.status !== web.status,
    sites: namesIn(found.sites) !== namesIn(web.sites.map(({ fqdn }) => fqdn)),
    aliases:
      found.aliases !== null && namesIn(found.aliases) !== namesIn(web.aliases.map(({ fqdn }) => fqdn)),
  }
  return (Object.keys(differs) as DiscoveryFact[]).filter((fact) => differs[fact])
}

const namesIn = (names: readonly string[]): string =>
  names
    .map((name) => name.toLowerCase())
    .sort()
    .join(' ')
