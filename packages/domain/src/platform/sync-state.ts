import type { Message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import type { registrarSyncs, repositorySyncs } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import type { Context } from './context.ts'
import { type LockName, lockInTransaction } from './locks.ts'
import { storedMessage } from './stored-message.ts'

/** Lists that are copied from another system, and where the outcome of the last copies is stored. */
export interface SyncedLists {
  readonly table: typeof repositorySyncs | typeof registrarSyncs
  readonly lock: LockName
  /** As in the events of the contract. */
  readonly names: readonly string[]
}

/** When the last syncs succeeded and failed, and why the last one failed; its error is null if it succeeded. */
export async function readSync(db: Transaction, { table }: SyncedLists) {
  const [row] = await db.select().from(table).where(eq(table.id, 1))
  return row ?? { succeeded_at: null, failed_at: null, failing_since: null, ...storedMessage('error', null) }
}

export type Sync = Awaited<ReturnType<typeof readSync>>

/** Whole seconds since the last successful sync if the lists are out of date; otherwise null. */
export const staleSeconds = (
  { now }: Context,
  { succeeded_at }: Sync,
  isOutOfDate: boolean,
): number | null =>
  succeeded_at === null || !isOutOfDate
    ? null
    : Math.max(0, Math.floor((now().getTime() - succeeded_at.getTime()) / 1000))

/** What is later than now by more than this was stored by a program whose clock was ahead. */
const clockToleranceMs = 60_000

export const isBeyondClock = ({ now }: Pick<Context, 'now'>, at: Date | null): boolean =>
  at !== null && at.getTime() > now().getTime() + clockToleranceMs

/** Whether a request that was made later has already been answered. @param asked when this one was made */
export const isOvertaken = (context: Pick<Context, 'now'>, { succeeded_at }: Sync, asked: Date): boolean =>
  succeeded_at !== null && succeeded_at > asked && !isBeyondClock(context, succeeded_at)

export const storeSuccess = (tx: Transaction, lists: SyncedLists, before: Sync, asked: Date) =>
  store(tx, lists, before, { succeeded_at: asked, failing_since: null, ...storedMessage('error', null) })

/** Does nothing if a later sync has succeeded in the meantime. */
export function storeFailure(
  context: Context,
  lists: SyncedLists,
  asked: Date,
  failure: Message,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    await lockInTransaction(tx, lists.lock)
    const before = await readSync(tx, lists)
    if (isOvertaken(context, before, asked)) return
    const failing_since = before.error === null ? asked : before.failing_since
    await store(tx, lists, before, { failed_at: asked, failing_since, ...storedMessage('error', failure) })
  })
}

/** Ends a failure of lists that do not come from the other system any more. The caller holds their lock. */
export async function endFailure(tx: Transaction, lists: SyncedLists): Promise<void> {
  const before = await readSync(tx, lists)
  if (before.error !== null)
    await store(tx, lists, before, { failing_since: null, ...storedMessage('error', null) })
}

async function store(
  tx: Transaction,
  { table, names }: SyncedLists,
  before: Sync,
  columns: Partial<Sync> & Pick<Sync, 'error'>,
): Promise<void> {
  await tx
    .insert(table)
    .values({ id: 1, ...columns })
    .onConflictDoUpdate({ target: table.id, set: columns })
  if (before.error === columns.error) return
  // Open screens show whether a list is stale and why, which the triggers of the lists do not cover.
  for (const name of names)
    await tx.execute(sql`select pg_notify('kustos', json_build_object('list', ${name}::text)::text)`)
}
