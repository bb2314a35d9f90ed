import { deploymentRoutes } from '@kustos/contract/deployment'
import type { Connection } from '@kustos/contract/inspections'
import {
  discoveryStates,
  type NodeDrift,
  type NodeOverview,
  type NodeSoftware,
  nodesRoutes,
} from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import type { Timeline } from '@kustos/contract/timeline'
import { websRoutes } from '@kustos/contract/webs'
import { discoveredWebs, inspections, nodes, webs } from '@kustos/database/tables'
import { and, count, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { listDeployments } from '../deployment/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { readTimelineOf } from '../timelines/index.ts'
import { readWebSummaries } from '../webs/index.ts'
import { readDiscovery } from './discovery.ts'
import { readNodes } from './list.ts'

/** Deployments that have ended. */
const maxEnded = 10

/** A node with what it has, as far as the acting user may see it. @throws DomainError not-found */
export async function readNodeOverview(context: Context, name: string): Promise<NodeOverview> {
  const node = await findNode(context, name)
  const { id } = node
  const isManager = can(context.actor, nodesRoutes.listNodes.access)
  const [summaries, details, software, drift, deployments] = await Promise.all([
    readWebSummaries(context, sql`w.node_id = ${id}`),
    isManager ? readNodes(context.db, id) : [],
    isManager ? readSoftware(context, id) : null,
    isManager ? readDrift(context, id) : null,
    can(context.actor, deploymentRoutes.listDeployments.access) ? readDeployments(context, id) : null,
  ])
  const [found = null] = details
  return { ...node, name, details: found, software, drift, ...summaries, deployments }
}

/**
 * What happened to a node and its webs in the last weeks, newest first, as far as the acting user may see it.
 * @throws DomainError not-found
 */
export async function readNodeTimeline(context: Context, name: string, weeks?: number): Promise<Timeline> {
  const { id } = await findNode(context, name)
  const { db, actor } = context
  const ofWebs = can(actor, websRoutes.listWebs.access)
    ? await db
        .select({ id: webs.id })
        .from(webs)
        .where(and(eq(webs.node_id, id), visibleWebs(context)))
    : []
  return readTimelineOf(context, { node: [id], web: ofWebs.map((web) => web.id) }, weeks)
}

async function findNode({ db }: Context, name: string) {
  const [node] = await db
    .select({ id: nodes.id, cloud_enabled: nodes.cloud_enabled, tags: nodes.tags })
    .from(nodes)
    .where(eq(nodes.name, name))
  if (!node) throw notFound('node_named_not_found', { name })
  return node
}

async function readSoftware({ db }: Context, id: number): Promise<NodeSoftware> {
  const [[tested], php] = await Promise.all([
    db
      .select({ connection: inspections.connection })
      .from(inspections)
      .where(
        and(
          eq(inspections.node_id, id),
          eq(inspections.kind, 'connection'),
          isNotNull(inspections.connection),
        ),
      )
      .orderBy(desc(inspections.id))
      .limit(1),
    db
      .select({ version: discoveredWebs.php_version, webs: count() })
      .from(discoveredWebs)
      .where(eq(discoveredWebs.node_id, id))
      .groupBy(discoveredWebs.php_version)
      .orderBy(desc(count()), discoveredWebs.php_version),
  ])
  const checks = (tested?.connection as Connection | undefined)?.checks ?? []
  const foundBy = (check: Connection['checks'][number]['check']) =>
    checks.find((one) => one.check === check)?.found ?? null
  return { plesk: foundBy('panel') ?? foundBy('plesk'), php }
}

async function readDrift(context: Context, id: number): Promise<NodeDrift> {
  const { inspection, read_at, webs: found } = await readDiscovery(context, id)
  const counts = Object.fromEntries(
    discoveryStates.map((state) => [state, found.filter((web) => web.state === state).length]),
  ) as NodeDrift['counts']
  return { inspection, read_at, counts }
}

async function readDeployments(
  context: Context,
  node: number,
): Promise<NonNullable<NodeOverview['deployments']>> {
  const [under_way, ended] = await Promise.all([
    listDeployments(context, { node, isOver: false }),
    listDeployments(context, { node, isOver: true, limit: maxEnded }),
  ])
  return { under_way, ended }
}
