import type { Transaction } from '@kustos/database/client'
import { logSeals } from '@kustos/database/tables'
import { asc, gt, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import {
  type ChainHead,
  countEntries,
  emptyChain,
  findFault,
  lastIdOf,
  type Seal,
  type SealedEntry,
} from './chain.ts'
import { sealedColumns } from './seal.ts'

export interface LogVerification {
  /** A sentence about the first entry or seal that is not as it was; null if there is none. */
  readonly fault: string | null
  readonly sealed: number
  /** Newer than the last seal, so nothing protects them yet. */
  readonly unsealed: number
  readonly head: ChainHead
}

/** The sequence begins with 1, but an added entry may have any id. */
const beforeAllIds = -(2n ** 63n)
/** Seals that are read at once. */
const sealsPerBatch = 100
/** Entries that are read at once, at least. */
const entriesPerBatch = 5_000

/**
 * Checks every entry of the audit log against its seal, and every seal against the one before it, as of one moment.
 * @param expected the head that was noted earlier, which the chain has to contain
 */
export async function verifyLog({ db }: Context, expected: ChainHead | null): Promise<LogVerification> {
  return db.transaction((tx) => verifyChain(tx, expected), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
}

async function verifyChain(tx: Transaction, expected: ChainHead | null): Promise<LogVerification> {
  let previous = { ...emptyChain, lastId: beforeAllIds }
  let sealed = 0
  const end = (fault: string | null, unsealed = 0): LogVerification => ({
    fault,
    sealed,
    unsealed,
    head: { number: previous.number, hash: previous.hash },
  })
  for await (const seals of readSeals(tx)) {
    const last = seals.at(-1)
    const entries = last ? await readEntries(tx, previous.lastId, lastIdOf(last)) : []
    let read = 0
    for (const seal of seals) {
      const lastId = lastIdOf(seal)
      const first = read
      while (read < entries.length && BigInt(entries[read]?.id ?? '') <= lastId) read += 1
      const fault = findFault(previous, seal, entries.slice(first, read))
      if (fault !== null) return end(fault)
      if (seal.number === expected?.number && seal.hash !== expected.hash)
        return end(`Seal ${seal.number} is not the one that was noted: the chain was replaced.`)
      sealed += countEntries(seal)
      previous = { number: seal.number, hash: seal.hash, lastId }
    }
  }
  if (expected !== null && expected.number > previous.number)
    return end(`The chain ends with seal ${previous.number}, before seal ${expected.number} that was noted.`)
  const { rows } = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from log_entries where id > ${String(previous.lastId)}`,
  )
  return end(null, rows[0]?.count)
}

/** All seals in batches of about so many entries that are read at once. */
async function* readSeals(tx: Transaction): AsyncGenerator<readonly Seal[]> {
  for (let after = 0; ; ) {
    const rows = await tx
      .select()
      .from(logSeals)
      .where(gt(logSeals.number, after))
      .orderBy(asc(logSeals.number))
      .limit(sealsPerBatch)
    const last = rows.at(-1)
    if (!last) return
    after = last.number
    let batch: Seal[] = []
    let entries = 0
    for (const { number, sealed_at: sealedAt, previous_hash: previousHash, ...row } of rows) {
      const seal = { number, sealedAt, previousHash, entries: row.entries, hash: row.hash }
      batch.push(seal)
      entries += countEntries(seal)
      if (entries < entriesPerBatch) continue
      yield batch
      batch = []
      entries = 0
    }
    if (batch.length > 0) yield batch
  }
}

async function readEntries(tx: Transaction, after: bigint, until: bigint): Promise<SealedEntry[]> {
  const { rows } = await tx.execute<SealedEntry & Record<string, unknown>>(sql`
    select ${sealedColumns} from log_entries l
    where l.id > ${String(after)} and l.id <= ${String(until)} order by l.id`)
  return rows
}
