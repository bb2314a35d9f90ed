import { transliterate } from '@kustos/contract/bitbucket'
import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { deployments, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { lockInTransaction } from '../platform/locks.ts'

/** A name that Unix and Plesk accept: at most 32 lower-case letters, digits, - and _. */
export const systemUser = (bnName: string): string =>
  transliterate(bnName)
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, 32)

interface Wanted {
  readonly fqdn: string
  readonly user: string
  readonly node: { readonly id: number; readonly name: string }
}

/**
 * Two webs with one system user on a node would share their files and database. Locks the assignment of system users until
 * the transaction ends.
 * @returns who has or will get the system user; null if it is free. Other requests for the same FQDN do not
 * count, since there is only one at a time
 */
export async function findSystemUserOwner(
  tx: Transaction,
  { fqdn, user, node }: Wanted,
): Promise<Message | null> {
  const owner = await findWebOfSystemUser(tx, user, node.id)
  if (owner !== null) return message('system_user_taken', { fqdn: owner, user, node: node.name })
  const coming = await tx
    .select({ fqdn: deployments.fqdn, request: deployments.request })
    .from(deployments)
    .where(
      and(
        eq(deployments.node_id, node.id),
        eq(deployments.kind, 'newWeb'),
        inArray(deployments.state, ['waiting', 'running']),
        ne(deployments.fqdn, fqdn),
      ),
    )
    .orderBy(deployments.id)
  const other = coming.find(({ request }) => request !== null && systemUser(request.bnName) === user)
  return other ? message('system_user_wanted', { fqdn: other.fqdn, user, node: node.name }) : null
}

/**
 * The same without regard to requests, which are checked again when they create their web.
 * @returns the FQDN of the web that has the system user
 */
export async function findWebOfSystemUser(
  tx: Transaction,
  user: string,
  nodeId: number,
): Promise<string | null> {
  await lockInTransaction(tx, 'system-users')
  const [web] = await tx
    .select({ fqdn: webs.fqdn })
    .from(webs)
    .where(and(eq(webs.sysuser, user), eq(webs.node_id, nodeId), isNull(webs.deleted_at)))
  return web?.fqdn ?? null
}
