import type { NodeDetails } from '@kustos/contract/nodes'
import type { Transaction } from '@kustos/database/client'
import { nodes, webs } from '@kustos/database/tables'
import { and, asc, count, eq, isNull } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { fingerprintOf } from './fingerprint.ts'

type NodeRow = typeof nodes.$inferSelect

/** All nodes, ordered by name. */
export const listNodes = ({ db }: Context): Promise<NodeDetails[]> => readNodes(db)

/** @param id of a single one */
export async function readNodes(db: Transaction, id?: number): Promise<NodeDetails[]> {
  const rows = await db
    .select({ node: nodes, webs: count(webs.id) })
    .from(nodes)
    .leftJoin(webs, and(eq(webs.node_id, nodes.id), isNull(webs.deleted_at)))
    .where(id === undefined ? undefined : eq(nodes.id, id))
    .groupBy(nodes.id)
    .orderBy(asc(nodes.name))
  return rows.map((row) => presentNode(row.node, row.webs))
}

const presentNode = ({ plesk_key, host_key, ...row }: NodeRow, websOfNode: number): NodeDetails => ({
  ...serializeDates(row),
  has_plesk_key: plesk_key !== null,
  host_key,
  host_key_fingerprint: host_key === null ? null : fingerprintOf(host_key),
  webs: websOfNode,
})
