import type { Action } from '@kustos/contract/deployment'
import { nodes, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { conflict, notFound } from '../errors.ts'
import { handOver, keepDeployment } from './accept.ts'
import { unlessUnderWay, wrongServer } from './refusals.ts'
import type { DeploymentTools } from './tools.ts'

/**
 * Accepts an action on a web.
 * @returns the deployment's id
 * @throws DomainError not-found; conflict for a node that is not cloud-enabled, and where the same action is under way
 */
export async function requestAction(
  context: Context,
  tools: DeploymentTools,
  action: Action,
  { id: webId, backup = true }: { readonly id: number; readonly backup?: boolean | undefined },
): Promise<number> {
  const accepted = await unlessUnderWay(() =>
    change(context, async (inside) => {
      const [web] = await inside.db
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
      if (!web) throw notFound(`Web ${webId}`)
      if (web.enabled !== true) throw conflict(wrongServer)
      if (action === 'exportDatabaseKick' && web.repository === null)
        throw conflict('This web has no repository on Bitbucket, so nothing can be forked from it.')
      const { fqdn, node } = web
      const id = await keepDeployment(inside, tools, {
        kind: action,
        fqdn,
        web_id: webId,
        node_id: node,
        backup,
      })
      await inside.record({
        log: 'deployment',
        description: `${action} requested`,
        subject: { type: 'web', id: webId },
        attributes: { deployment: id, ...(action === 'importDatabase' && { backup }) },
      })
      return { deployment: id, kind: action, fqdn, web_id: webId }
    }),
  )
  await handOver(context, tools, accepted, { isFirst: true })
  return accepted.deployment
}
