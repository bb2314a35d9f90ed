import type { Scope } from '../platform/context.ts'
import { logged } from './change-web.ts'
import { presentWebs } from './web-json.ts'

/** The fields of webs, deleted or not, as the audit log has them, by id. */
export const readLoggedWebs = async (
  { db }: Pick<Scope, 'db'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReturnType<typeof logged>>> =>
  new Map((await presentWebs(db, ids)).map((web) => [web.id, logged(web)]))
