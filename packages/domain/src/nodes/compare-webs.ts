import { isDeepStrictEqual } from 'node:util'
import {
  type DiscoveredWeb,
  type DiscoveryDifference,
  type DiscoveryFact,
  discoveryFacts,
  discoveryStates,
  frameworkText,
} from '@kustos/contract/nodes'
import { asciiFqdn } from '@kustos/contract/webs'
import type { discoveredWebs, nodes, webs } from '@kustos/database/tables'
import { type KnownFramework, mergeFramework } from '../webs/index.ts'

export type Found = typeof discoveredWebs.$inferSelect
export type Known = Pick<
  typeof webs.$inferSelect,
  'id' | 'fqdn' | 'fqdn_ascii' | 'customer' | 'node_id' | 'status' | 'sysuser' | 'sites' | 'aliases'
> &
  KnownFramework & { readonly node: string | null; readonly isProvisioning: boolean }

/**
 * Compares what a node has with webs.
 * @param known the webs of the node, and those of its names elsewhere; without deleted ones
 * @param isComplete whether the node has no others; otherwise no web is known to be gone
 * @returns what needs attention first
 */
export function compareWebs(
  node: Pick<typeof nodes.$inferSelect, 'id' | 'name'>,
  found: readonly Found[],
  known: readonly Known[],
  isComplete: boolean,
): DiscoveredWeb[] {
  const byName = new Map(known.map((web) => [web.fqdn_ascii, web]))
  const foundNames = new Set(
    // Plesk lists sites and aliases in Unicode.
    found.flatMap(({ fqdn_ascii, sites, aliases }) => [
      fqdn_ascii,
      ...[...sites, ...(aliases ?? [])].map((name) => asciiFqdn(name) ?? name),
    ]),
  )
  const present = found.map((row): DiscoveredWeb => {
    const web = byName.get(row.fqdn_ascii) ?? null
    const differences = web === null ? [] : findDifferences(node.name, row, web)
    return {
      fqdn: row.fqdn,
      state: web === null ? 'new' : differences.length > 0 ? 'changed' : 'unchanged',
      web_id: web?.id ?? null,
      differences,
      customer: web?.customer ?? row.owner,
      sysuser: row.sysuser,
      framework_name: row.framework_name,
      framework_version: row.framework_version,
      php_version: row.php_version,
      databases: databasesOf(row),
      sites: [...row.sites],
      aliases: [...(row.aliases ?? [])],
    }
  })
  const missing = known
    .filter(({ node_id, fqdn_ascii }) => isComplete && node_id === node.id && !foundNames.has(fqdn_ascii))
    .map(
      (web): DiscoveredWeb => ({
        fqdn: web.fqdn,
        state: 'missing',
        web_id: web.id,
        differences: [],
        customer: web.customer,
        sysuser: web.sysuser,
        framework_name: null,
        framework_version: null,
        php_version: null,
        databases: null,
        sites: web.sites.map(({ fqdn }) => fqdn),
        aliases: web.aliases.map(({ fqdn }) => fqdn),
      }),
    )
  const rank = ({ state }: DiscoveredWeb) => discoveryStates.indexOf(state)
  return [...present, ...missing].sort((a, b) => rank(a) - rank(b) || a.fqdn.localeCompare(b.fqdn))
}

/**
 * Facts that could not be read do not differ. A version that is only known in short, such as `12`, does not differ from 12.4.41
 * (`mergeFramework`).
 */
export function findDifferences(nodeName: string, found: Found, web: Known): DiscoveryDifference[] {
  const framework = findFramework(found, web)
  const databases = databasesOf(found)
  const sides: Readonly<Record<DiscoveryFact, readonly [before: FactValue, after: FactValue]>> = {
    node: [web.node, nodeName],
    sysuser: [web.sysuser, found.sysuser],
    status: [web.status, findStatus(found, web)],
    framework: [frameworkText(web), framework && frameworkText(framework)],
    php_version: [found.baseline_php_version ?? found.php_version, found.php_version],
    databases: [found.baseline_databases?.toSorted() ?? databases, databases],
    sites: [sortHosts(web.sites.map(({ fqdn }) => fqdn)), sortHosts(found.sites)],
    aliases: [sortHosts(web.aliases.map(({ fqdn }) => fqdn)), found.aliases && sortHosts(found.aliases)],
  }
  return discoveryFacts.flatMap((fact) => {
    const [before, after] = sides[fact]
    return after === null || isDeepStrictEqual(before, after) ? [] : [{ fact, before, after }]
  })
}

type FactValue = DiscoveryDifference['before']

/** What a web's status becomes; null if it could not be read, or if the web gets one only once it is provisioned. */
export const findStatus = (
  { status }: Pick<Found, 'status'>,
  web: Pick<Known, 'status' | 'isProvisioning'>,
): number | null => (web.isProvisioning && web.status === null ? null : status)

/** Much is built on them that only staff can name, such as Sylius on Symfony. */
const generalFrameworks: ReadonlySet<string> = new Set(['Symfony', 'Laravel'])

/** What a web's framework becomes; null if none was found, or one that the known one may be built on. */
export function findFramework(
  { framework_name: name, framework_version: version }: Found,
  web: KnownFramework,
): KnownFramework | null {
  if (name === null) return null
  const known = web.framework_name?.trim().toLowerCase() || name.toLowerCase()
  if (generalFrameworks.has(name) && known !== name.toLowerCase()) return null
  return mergeFramework(web, { name, version })
}

/** Null if they could not be read. */
const databasesOf = ({ databases, databases_read }: Found): string[] | null =>
  databases_read ? databases.toSorted() : null

const sortHosts = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase()).sort()
