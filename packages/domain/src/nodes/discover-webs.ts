import type { Dns } from '@kustos/clients/dns'
import { PleskError } from '@kustos/clients/plesk'
import { type Message, message, readIssue } from '@kustos/contract/messages'
import { removeBidiControls } from '@kustos/contract/text'
import { asciiFqdn, fqdn as hostName } from '@kustos/contract/webs'
import { discoveredWebs, nodes, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import type { InspectionResult } from '../inspections/index.ts'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { createNodeMask, openPanelKey } from '../platform/panel-key.ts'
import type { Found } from './compare-webs.ts'
import { readPanelDatabase } from './panel-database.ts'
import { readFrameworks } from './read-frameworks.ts'
import { forgetOldOutput } from './read-output.ts'
import type { NodeTools } from './test-connection.ts'

/** A node has some thousands at most; more are an attack or a fault, which is reported. */
const maxWebs = 20_000
/** Of the domains that are left out; more are only counted. */
const maxNamed = 10

/**
 * Reads the subscriptions of a node: their names from Plesk's API, and what it does not tell from Plesk's database and their
 * files over SSH.
 * Webs stay as they are.
 * @throws the signal's reason
 */
export async function discoverWebs(
  context: Context,
  tools: NodeTools & { readonly dns: Dns },
  nodeId: number,
  signal: AbortSignal,
): Promise<InspectionResult> {
  const { plesk, runners, secretBox, dns } = tools
  const [node] = await context.db.select().from(nodes).where(eq(nodes.id, nodeId))
  if (!node) return { state: 'failed', problems: [message('node_not_found', { id: nodeId })] }
  const opened = openPanelKey(secretBox, node)
  if (opened === 'unreadable')
    return { state: 'failed', problems: [message('plesk_key_unreadable', { node: node.name })] }
  const mask = createNodeMask(tools, node)
  try {
    const [subscriptions, { facts, problems }, address] = await Promise.all([
      plesk.subscriptions({ ...node, plesk_key: opened.key }, signal),
      readPanelDatabase(runners, node, { mask, signal }),
      node.address ?? dns.addresses(node.plesk_fqdn, signal).then((found) => found?.[0] ?? null),
      forgetOldOutput(runners, node),
    ])
    signal.throwIfAborted()
    const roots = new Map(subscriptions.map(({ id }) => [id, facts.get(id)?.root ?? '']))
    const { frameworks, problems: unread } = await readFrameworks(runners, node, roots, { mask, signal })
    const skipped: Message[] = []
    const rows = new Map(
      subscriptions.flatMap(({ id, fqdn: name, sites, aliases }) => {
        const parsed = hostName.safeParse(name)
        if (!parsed.success) {
          const reason = readIssue(parsed.error.issues[0]?.message ?? '') ?? message('host_name_invalid')
          skipped.push(message('discovery_name_skipped', { fqdn: removeBidiControls(name), reason }))
          return []
        }
        const fqdn = parsed.data
        const ascii = asciiFqdn(fqdn) ?? fqdn
        const {
          status = null,
          sysuser = null,
          php_version = null,
          owner = null,
          databases = null,
        } = facts.get(id) ?? {}
        const framework = frameworks.get(id)
        const row = {
          ...{ fqdn, fqdn_ascii: ascii, node_id: nodeId, address, status, sysuser, php_version },
          databases: databases ?? [],
          databases_read: databases !== null,
          framework_name: framework?.name ?? null,
          framework_version: framework?.version ?? null,
          owner: owner && removeBidiControls(owner),
          sites: sites.map(removeBidiControls),
          aliases: aliases?.map(removeBidiControls) ?? null,
        }
        return [[ascii, row] as const]
      }),
    )
    await store(context, nodeId, [...rows.values()].slice(0, maxWebs))
    const more = skipped.length - maxNamed
    const all = [
      ...[...problems, ...unread].map(mask.message),
      ...skipped.slice(0, maxNamed),
      ...(more > 0 ? [message('discovery_names_skipped', { count: more })] : []),
      ...(rows.size > maxWebs ? [message('discovery_webs_limited', { count: rows.size, max: maxWebs })] : []),
    ]
    return { state: all.length === 0 ? 'succeeded' : 'partial', problems: all }
  } catch (error) {
    if (error instanceof PleskError) return { state: 'failed', problems: [mask.message(error.codedMessage)] }
    throw error
  }
}

/** Replaces what was read before. The baseline of a web stays, or else is what is read now. */
function store(
  context: Context,
  nodeId: number,
  rows: readonly Omit<Found, 'baseline_php_version' | 'baseline_databases'>[],
): Promise<void> {
  return context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    // An import, which changes baselines, comes before or after.
    await db.select({ id: nodes.id }).from(nodes).where(eq(nodes.id, nodeId)).for('no key update')
    const before = await db
      .select({
        fqdn_ascii: discoveredWebs.fqdn_ascii,
        php_version: discoveredWebs.baseline_php_version,
        databases: discoveredWebs.baseline_databases,
      })
      .from(discoveredWebs)
      .innerJoin(webs, and(eq(webs.fqdn_ascii, discoveredWebs.fqdn_ascii), isNull(webs.deleted_at)))
      .where(eq(discoveredWebs.node_id, nodeId))
    const baselines = new Map(before.map(({ fqdn_ascii, ...baseline }) => [fqdn_ascii, baseline]))
    await db.delete(discoveredWebs).where(eq(discoveredWebs.node_id, nodeId))
    for (const batch of chunk(rows))
      await db.insert(discoveredWebs).values(
        batch.map((row) => {
          const baseline = baselines.get(row.fqdn_ascii)
          return {
            ...row,
            baseline_php_version: baseline?.php_version ?? row.php_version,
            baseline_databases: baseline?.databases ?? (row.databases_read ? row.databases : null),
          }
        }),
      )
  })
}
