import { spelledOut } from '@kustos/contract/bitbucket'
import type { Transaction } from '@kustos/database/client'
import { deployments, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { takeTurn } from '../alone.ts'

/** A name that Unix and Plesk take: lower-case letters, digits, - and _, at most 32. */
export const systemUser = (bnName: string): string =>
  spelledOut(bnName)
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, 32)

/** For a web that is to be made on a node. */
interface Wanted {
  readonly fqdn: string
  readonly bnName: string
  readonly node: { readonly id: number; readonly name: string }
}

/**
 * Two webs of one system user on a node would share their files and their database. Until the transaction ends nobody else
 * is given one.
 * @returns who has it or is to have it, as a clause; null where it is free. Another request for the same FQDN does not
 * count: there is one of them at a time anyway
 */
export async function whoHasSystemUser(tx: Transaction, wanted: Wanted): Promise<string | null> {
  const { fqdn, bnName, node } = wanted
  const owned = await webOfSystemUser(tx, wanted)
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
  return other ? `${other.fqdn} is to have the system user ${name} on ${node.name}` : null
}

/** The same of webs alone: those that are only asked for are refused when they come to it. */
export async function webOfSystemUser(tx: Transaction, { bnName, node }: Wanted): Promise<string | null> {
  await takeTurn(tx, 'system-users')
  const name = systemUser(bnName)
  const [living] = await tx
    .select({ fqdn: webs.fqdn })
    .from(webs)
    .where(and(eq(webs.sysuser, name), eq(webs.node_id, node.id), isNull(webs.deleted_at)))
    .limit(1)
  return living ? `${living.fqdn} has the system user ${name} on ${node.name}` : null
}
