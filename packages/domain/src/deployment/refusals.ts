import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { conflict, violatesUnique } from '../platform/errors.ts'

/** The answers to a second deployment of a kind, by the unique index that prevents it. */
const uniqueViolationTexts: Readonly<
  Record<string, 'action_under_way' | 'repository_under_way' | 'fqdn_under_way'>
> = {
  deployments_one_of_a_kind: 'action_under_way',
  deployments_one_for_a_repository: 'repository_under_way',
  deployments_one_for_a_new_fqdn: 'fqdn_under_way',
}

/** @throws DomainError conflict if such a deployment is already waiting or running */
export async function mapUniqueViolation<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const [, code] =
      Object.entries(uniqueViolationTexts).find(([index]) => violatesUnique(error, index)) ?? []
    throw code === undefined ? error : conflict(code)
  }
}

/** @returns why the web is no longer the one that the deployment was requested for; null if it is */
export async function findTargetMismatch(
  db: Transaction,
  { fqdn }: { readonly fqdn: string },
  webId: number,
): Promise<Message | null> {
  const [web] = await db.select().from(webs).where(eq(webs.id, webId))
  if (!web || web.deleted_at !== null) return message('web_deleted', { fqdn })
  return web.fqdn === fqdn ? null : message('web_renamed', { fqdn, name: web.fqdn })
}
