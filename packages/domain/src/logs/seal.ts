import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '@kustos/database/client'
import { logEntries, logSeals } from '@kustos/database/tables'
import { asc, desc, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import {
  type ChainHead,
  countEntries,
  createSeal,
  emptyChain,
  formatHead,
  lastIdOf,
  type SealedEntry,
} from './chain.ts'

/** A seal is about 100 kB then. */
const maxEntriesPerSeal = 1_000
const pollMs = 100
/** Longer than transactions of Kustos may be idle. */
const maxWaitMs = 90_000

/** The columns of an entry, as text. */
export const sealedColumns = sql`id::text, to_json(created_at at time zone 'UTC') #>> '{}' as created_at, log_name,
  description, subject_type, subject_id::text, causer_id::text, properties::text, request_id`

export interface SealReport {
  readonly seals: number
  readonly entries: number
  /** The last seal. Kept elsewhere, it shows if the chain is replaced later. */
  readonly head: string
}

/**
 * Seals the entries of the audit log that have been committed, each once, in the order of their ids
 * (docs/decisions/0023-chain-the-audit-log-by-seals.md). Writers never wait for it.
 * @returns null if there was nothing to seal
 */
export async function sealLog(context: Context, signal: AbortSignal): Promise<SealReport | null> {
  const settledId = await waitForSettledId(context, signal)
  if (settledId === null) return null
  let seals = 0
  let entries = 0
  let head: ChainHead | null = null
  while (!signal.aborted) {
    const seal = await sealNext(context, settledId)
    if (seal === null) break
    seals += 1
    entries += countEntries(seal)
    head = seal
  }
  return head === null ? null : { seals, entries, head: formatHead(head) }
}

async function sealNext(context: Context, settledId: bigint) {
  const { db, now } = context
  return db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    await lockInTransaction(tx, 'log-seals')
    const last = await readLastSeal(tx)
    const { rows } = await tx.execute<SealedEntry & Record<string, unknown>>(sql`
      select ${sealedColumns} from log_entries l
      where l.id > ${String(last.lastId)} and l.id <= ${String(settledId)} order by l.id limit ${maxEntriesPerSeal}`)
    if (rows.length === 0) return null
    const seal = createSeal(last, rows, now())
    await tx.insert(logSeals).values({
      number: seal.number,
      sealed_at: seal.sealedAt,
      previous_hash: seal.previousHash,
      entries: seal.entries,
      hash: seal.hash,
    })
    return seal
  })
}

/** When the oldest entry was made that has no seal yet; null if all have one. */
export async function readOldestUnsealed(db: Transaction): Promise<Date | null> {
  const { lastId } = await readLastSeal(db)
  const [oldest] = await db
    .select({ at: logEntries.created_at })
    .from(logEntries)
    .where(sql`${logEntries.id} > ${String(lastId)}`)
    .orderBy(asc(logEntries.id))
    .limit(1)
  return oldest?.at ?? null
}

async function readLastSeal(tx: Transaction): Promise<ChainHead & { readonly lastId: bigint }> {
  const { number, hash, entries } = logSeals
  const [last] = await tx.select({ number, hash, entries }).from(logSeals).orderBy(desc(number)).limit(1)
  return last ? { ...last, lastId: lastIdOf(last) } : { ...emptyChain, lastId: 0n }
}

/**
 * Waits until every transaction has ended that may still commit an entry with an id that has been handed out by now. Such a
 * transaction has locked the log since before it took an id, so it is enough to look for these locks after reading the sequence,
 * as `create index concurrently` does.
 * @returns the last id that had been handed out; null if there is nothing to seal, or a transaction does not end
 */
async function waitForSettledId({ db }: Context, signal: AbortSignal): Promise<bigint | null> {
  const { lastId } = await readLastSeal(db)
  const { rows } = await db.execute<{ id: string }>(sql`
    select last_value::text as id from log_entries_id_seq where is_called and last_value > ${String(lastId)}`)
  const [last] = rows
  if (!last) return null
  const endsAt = performance.now() + maxWaitMs
  let writers = await readWriters(db)
  while (writers.length > 0) {
    if (performance.now() > endsAt) return null
    await sleep(pollMs, undefined, { signal })
    const current = new Set(await readWriters(db))
    writers = writers.filter((writer) => current.has(writer))
  }
  return BigInt(last.id)
}

/** The transactions that may have an id of the log which they have not committed yet. */
async function readWriters(db: Transaction): Promise<readonly string[]> {
  const { rows } = await db.execute<{ transaction: string }>(sql`
    select distinct virtualtransaction as transaction from pg_locks
    where locktype = 'relation' and relation = 'public.log_entries'::regclass
      and database = (select oid from pg_database where datname = current_database())
      and mode = 'RowExclusiveLock' and granted and pid <> pg_backend_pid()`)
  return rows.map(({ transaction }) => transaction)
}
