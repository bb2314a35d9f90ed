import type { Transaction } from '@kustos/database/client'
import { rotas } from '@kustos/database/tables'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Context, Scope } from '../platform/context.ts'
import { onCallAt } from './on-call.ts'
import { type FoundRota, readRotas } from './read.ts'
import { readResponders } from './responders.ts'

/** Stores who is on call now where that has changed, so that users are told. @returns the number of changes; null if none */
export async function noticeShifts({ db, now }: Context): Promise<{ readonly changed: number } | null> {
  const changed = await db.transaction((tx) => noticeIn(tx, now()))
  return changed === 0 ? null : { changed }
}

/** The same for one rota, in the transaction that changes it. */
export const noticeShift = ({ db, now }: Pick<Scope, 'db' | 'now'>, id: number): Promise<number> =>
  noticeIn(db, now(), eq(rotas.id, id))

async function noticeIn(tx: Transaction, at: Date, which?: SQL): Promise<number> {
  const found = await readRotas(tx, at, which)
  if (found.length === 0) return 0
  const available = new Set((await readResponders(tx)).keys())
  let changed = 0
  for (const rota of found) changed += await noticeOne(tx, rota, available, at)
  return changed
}

async function noticeOne(
  tx: Transaction,
  { row, schedule, overrides }: FoundRota,
  available: ReadonlySet<number>,
  at: Date,
): Promise<number> {
  const current = onCallAt(schedule, overrides, available, at)
  // Null since null: it has not begun.
  const user = current?.user ?? null
  const hasBegun = current !== null
  if (user === row.noticed_user_id && hasBegun === (row.noticed_since !== null)) return 0
  // Within the turn of somebody else it begins now: what that user has acknowledged is another entry.
  const isWithinTurn =
    hasBegun && (user === null || (row.noticed_since !== null && current.from <= row.noticed_since))
  const since = !hasBegun ? null : isWithinTurn ? at : current.from
  await tx
    .update(rotas)
    .set({ noticed_user_id: user, noticed_since: since })
    // Somebody may have changed it meanwhile, who has stored it then.
    .where(sql`${rotas.id} = ${row.id} and ${rotas.updated_at} = ${row.updated_at.toISOString()}`)
  return 1
}
