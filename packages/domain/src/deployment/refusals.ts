import type { Transaction } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { brokeUnique, conflict } from '../errors.ts'

/** The unique indexes that hold one deployment of a kind at a time, and what a second one is told. */
const oneAtATime: Readonly<Record<string, string>> = {
  deployments_one_of_a_kind: 'This action is already waiting or running for this web.',
  deployments_one_for_a_repository: 'A request for this repository is under way.',
  deployments_one_for_a_new_fqdn: 'A request for this domain is under way.',
}

/** @throws DomainError conflict where the like of a deployment that waits is waiting or running already */
export async function unlessUnderWay<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const [, sentence] = Object.entries(oneAtATime).find(([index]) => brokeUnique(error, index)) ?? []
    throw sentence === undefined ? error : conflict(sentence)
  }
}

/** What is told of a web on a node that is not cloud-enabled, or on none. */
export const wrongServer = 'This action can not be executed on this server.'

/**
 * Why a deployment's web is not, or not any more, the one that it was asked for.
 * @returns a sentence; null where it still is
 */
export async function strangenessOf(
  db: Transaction,
  { fqdn }: { readonly fqdn: string },
  webId: number,
): Promise<string | null> {
  const [web] = await db.select().from(webs).where(eq(webs.id, webId))
  if (!web || web.deleted_at !== null) return `${fqdn} has been deleted meanwhile.`
  return web.fqdn === fqdn ? null : `${fqdn} is called ${web.fqdn} meanwhile: ask for it anew.`
}
