import type { Transaction } from '@kustos/database/client'
import { deployments, nodes, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { byKickDump } from '../bitbucket/index.ts'

export interface DestinationNode {
  readonly id: number
  readonly name: string
  readonly plesk_fqdn: string
}

const destination = { id: nodes.id, name: nodes.name, plesk_fqdn: nodes.plesk_fqdn }

/** The cloud-enabled node with the fewest webs, including requested ones. */
export async function nodeForNewWeb(db: Transaction): Promise<DestinationNode | undefined> {
  const there = db
    .select({ count: sql<number>`count(*)` })
    .from(webs)
    .where(and(eq(webs.node_id, nodes.id), isNull(webs.deleted_at)))
  const coming = db
    .select({ count: sql<number>`count(*)` })
    .from(deployments)
    .where(
      and(
        eq(deployments.node_id, nodes.id),
        eq(deployments.kind, 'newWeb'),
        isNull(deployments.web_id),
        inArray(deployments.state, ['waiting', 'running']),
      ),
    )
  const [node] = await db
    .select(destination)
    .from(nodes)
    .where(eq(nodes.cloud_enabled, true))
    .orderBy(sql`(${there}) + (${coming})`, nodes.name)
    .limit(1)
  return node
}

/** The node of the web that uses a repository; of several, the one with the newest kick dump on a cloud-enabled node. */
export async function nodeForFork(db: Transaction, source: string): Promise<DestinationNode | undefined> {
  const [node] = await db
    .select(destination)
    .from(webs)
    .innerJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(eq(webs.repository, source), isNull(webs.deleted_at), eq(nodes.cloud_enabled, true)))
    .orderBy(...byKickDump)
    .limit(1)
  return node
}
