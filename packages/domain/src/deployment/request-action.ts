import { type NodeAction, nodeActionOf } from '@kustos/contract/deployment'
import { nodes, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { enqueue, insertDeployment } from './accept.ts'
import { mapUniqueViolation } from './refusals.ts'
import type { DeploymentTools } from './tools.ts'

/**
 * Requests an action on a web.
 * @returns the id of the deployment
 * @throws DomainError not-found; conflict if the node is not cloud-enabled, the action is already waiting or running, or
 * the recipes lack it
 */
export async function requestAction(
  context: Context,
  tools: DeploymentTools,
  action: NodeAction,
  { id: webId, backup = true }: { readonly id: number; readonly backup?: boolean | undefined },
): Promise<number> {
  const accepted = await mapUniqueViolation(() =>
    withAudit(context, async (tx) => {
      const [web] = await tx.db
        .select({
          fqdn: webs.fqdn,
          node: nodes.id,
          enabled: nodes.cloud_enabled,
          repository: webs.repository,
        })
        .from(webs)
        .leftJoin(nodes, eq(nodes.id, webs.node_id))
        .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
        .for('key share', { of: webs })
      if (!web) throw notFound('web_not_found', { id: webId })
      if (web.enabled !== true) throw conflict('wrong_server')
      if (action === 'exportDatabaseKick' && web.repository === null) throw conflict('no_repository_to_fork')
      const { fqdn, node } = web
      const id = await insertDeployment(tx, tools, {
        kind: action,
        fqdn,
        web_id: webId,
        node_id: node,
        backup,
      })
      await tx.record({
        log: 'deployment',
        description: `${action} requested`,
        subject: { type: 'web', id: webId },
        attributes: { deployment: id, ...(nodeActionOf(action).options?.includes('backup') && { backup }) },
      })
      return { deployment: id, kind: action, fqdn, web_id: webId }
    }),
  )
  await enqueue(context, tools, accepted, { isFirst: true })
  return accepted.deployment
}
