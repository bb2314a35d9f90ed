import type { NodeAction } from '@kustos/contract/deployment'
import { normalizeDomain } from '@kustos/contract/external-domains'
import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { deployments, webs } from '@kustos/database/tables'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { conflict, mapUniqueViolation } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'

/** @throws DomainError conflict if such a deployment is already waiting or running */
export const rejectDuplicate = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation(
    {
      deployments_one_of_a_kind: () => conflict('action_under_way'),
      deployments_one_for_a_repository: () => conflict('repository_under_way'),
      deployments_one_for_a_new_fqdn: () => conflict('fqdn_under_way'),
    },
    work,
  )

/**
 * The index rejects a second request for the same spelling of a domain, this function one for another spelling: `müller.test` and
 * `xn--mller-kva.test`. Locks requests for new webs until the transaction ends.
 * @throws DomainError conflict
 */
export async function rejectOtherSpelling(tx: Transaction, fqdn: string): Promise<void> {
  await lockInTransaction(tx, 'new-webs')
  const others = await tx
    .select({ fqdn: deployments.fqdn })
    .from(deployments)
    .where(
      and(
        eq(deployments.kind, 'newWeb'),
        inArray(deployments.state, ['waiting', 'running']),
        ne(deployments.fqdn, fqdn),
      ),
    )
  const normalized = normalizeDomain(fqdn)
  if (others.some((other) => normalizeDomain(other.fqdn) === normalized)) throw conflict('fqdn_under_way')
}

/**
 * @param node the name of the web's node, null if it has none, where the reason stands for one of many webs. Without it, the reason
 * is the sentence that the specification gives the action of one web.
 * @returns why an action cannot run on a web; null if it can
 */
export function findActionRefusal(
  action: NodeAction,
  web: { readonly isCloudEnabled: boolean | null; readonly repository: string | null },
  node?: string | null,
): Message | null {
  if (web.isCloudEnabled !== true) {
    if (node === undefined) return message('wrong_server')
    return node === null ? message('web_without_node') : message('deployments_not_allowed', { node })
  }
  return action === 'exportDatabaseKick' && web.repository === null ? message('no_repository_to_fork') : null
}

/** @returns why the web is no longer the one that the deployment was requested for; null if it is */
export async function findTargetMismatch(
  db: Transaction,
  { fqdn, node_id }: Pick<typeof deployments.$inferSelect, 'fqdn' | 'node_id'>,
  webId: number,
): Promise<Message | null> {
  const [web] = await db.select().from(webs).where(eq(webs.id, webId))
  if (!web || web.deleted_at !== null) return message('web_deleted', { fqdn })
  if (web.fqdn !== fqdn) return message('web_renamed', { fqdn, name: web.fqdn })
  // On the former node, the names that its commands use may be another web's by now.
  return web.node_id === node_id ? null : message('web_moved', { fqdn })
}
