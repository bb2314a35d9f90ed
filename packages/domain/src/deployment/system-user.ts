import { spelledOut } from '@kustos/contract/bitbucket'
import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { deployments, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { lockInTransaction } from '../platform/locks.ts'

/** A name that Unix and Plesk accept: at most 32 lower-case letters, digits, - and _. */
export const systemUser = (bnName: string): string =>
  spelledOut(bnName)
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, 32)

interface Wanted {
  readonly fqdn: string
  readonly bnName: string
  readonly node: { readonly id: number; readonly name: string }
}

/**
 * Two webs with one system user on a node would share their files and database. Locks the assignment of system users until
 * the transaction ends.
 * @returns who has or will get the system user; null if it is free. Other requests for the same FQDN do not
 * count, since there is only one at a time
 */
export async function findSystemUserOwner(tx: Transaction, wanted: Wanted): Promise<Message | null> {
  const { fqdn, bnName, node } = wanted
  const owned = await findWebOfSystemUser(tx, wanted)
  if (owned !== null) return owned
  const name = systemUser(bnName)
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
  const other = coming.find(({ request }) => request !== null && systemUser(request.bnName) === name)
  return other ? message('system_user_wanted', { fqdn: other.fqdn, user: name, node: node.name }) : null
}

/** The same without regard to requests, which are checked again when they create their web. */
export async function findWebOfSystemUser(
  tx: Transaction,
  { bnName, node }: Wanted,
): Promise<Message | null> {
  await lockInTransaction(tx, 'system-users')
  const name = systemUser(bnName)
  const [web] = await tx
    .select({ fqdn: webs.fqdn })
    .from(webs)
    .where(and(eq(webs.sysuser, name), eq(webs.node_id, node.id), isNull(webs.deleted_at)))
    .limit(1)
  return web ? message('system_user_taken', { fqdn: web.fqdn, user: name, node: node.name }) : null
}
