import { deployments, webs } from '@kustos/database/tables'
import { and, eq, type SQL, sql } from 'drizzle-orm'

/**
 * A condition on deployments that write the same file: a node has one kick dump of a repository, whichever of its webs it is
 * exported from. Undefined for a deployment that writes no kick dump.
 */
export function writesSameKickDump({
  kind,
  web_id,
  node_id,
}: Pick<typeof deployments.$inferSelect, 'kind' | 'web_id' | 'node_id'>): SQL | undefined {
  if (kind !== 'exportDatabaseKick' || web_id === null || node_id === null) return undefined
  return and(
    eq(deployments.kind, kind),
    eq(deployments.node_id, node_id),
    sql`exists (
      select from ${webs} own join ${webs} other on other.repository = own.repository
      where own.id = ${web_id} and other.id = ${deployments.web_id})`,
  )
}
