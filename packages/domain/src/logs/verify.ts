import { createHash } from 'node:crypto'
import type { Transaction } from '@kustos/database/client'
import { logArchives, logEntries, logSeals } from '@kustos/database/tables'
import { asc, gt, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { addLine, isWithin } from './archive-file.ts'
import {
  type ChainHead,
  countEntries,
  emptyChain,
  findFault,
  lastIdOf,
  type Seal,
  type SealedEntry,
  timeOfLine,
} from './chain.ts'
import { sealedColumns } from './seal.ts'

/** A part of the log that was moved to a file. */
export type LogArchive = typeof logArchives.$inferSelect

export interface LogVerification {
  /** A sentence about the first entry or seal that is not as it was; null if there is none. */
  readonly fault: string | null
  readonly sealed: number
  /** Entries that were moved to files. */
  readonly archived: number
  readonly archives: readonly LogArchive[]
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
  // Waits for a month that is being dropped. A snapshot that is taken before would have neither its entries nor its record.
  await tx.execute(sql`lock table ${logEntries} in access share mode`)
  const archives = await openArchives(tx)
  let previous = { ...emptyChain, lastId: beforeAllIds }
  let sealed = 0
  const end = (fault: string | null, unsealed = 0): LogVerification => ({
    fault,
    sealed,
    unsealed,
    archived: archives.count(),
    archives: archives.rows,
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
      const fault = findFault(previous, seal, entries.slice(first, read), (line) =>
        archives.take(line, seal.number),
      )
      if (fault !== null) return end(fault)
      if (seal.number === expected?.number && seal.hash !== expected.hash)
        return end(`Seal ${seal.number} is not the one that was noted: the chain was replaced.`)
      sealed += read - first
      previous = { number: seal.number, hash: seal.hash, lastId }
    }
  }
  if (expected !== null && expected.number > previous.number)
    return end(`The chain ends with seal ${previous.number}, before seal ${expected.number} that was noted.`)
  const archiveFault = archives.findFault()
  if (archiveFault !== null) return end(archiveFault)
  const { rows } = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from log_entries where id > ${String(previous.lastId)}`,
  )
  return end(null, rows[0]?.count)
}

/** Looks for entries that are in seals only. The chain itself says which of them an archive must have. */
async function openArchives(tx: Transaction) {
  const rows = await tx.select().from(logArchives).orderBy(asc(logArchives.last_seal), asc(logArchives.file))
  const open = rows.map((row) => ({
    row,
    time: { from: row.from_at, until: row.until_at },
    hash: createHash('sha256'),
    entries: 0,
  }))
  return {
    rows,
    /** @returns false if no archive can have the entry of this line */
    take(line: string, seal: number): boolean {
      const at = timeOfLine(line)
      const archive = open.find(({ row, time }) => seal <= row.last_seal && isWithin(time, at))
      if (!archive) return false
      addLine(archive.hash, line)
      archive.entries += 1
      return true
    },
    count: () => open.reduce((sum, { entries }) => sum + entries, 0),
    /** A sentence about the first archive whose record differs from the entries that are missing here. */
    findFault(): string | null {
      const wrong = open.find(
        ({ row, hash, entries }) => row.entries !== entries || row.entries_hash !== hash.digest('hex'),
      )
      if (!wrong) return null
      const { row, entries } = wrong
      return `The archive ${row.file} was recorded with ${row.entries} entries, but ${entries} of its time are missing from the log.`
    },
  }
}

/** The seals after a number, in batches of about this many entries that are read at once. */
export async function* readSeals(tx: Transaction, first = 0): AsyncGenerator<readonly Seal[]> {
  for (let after = first; ; ) {
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

/** @param time of the entries; any by default */
export async function readEntries(
  tx: Transaction,
  after: bigint,
  until: bigint,
  time?: { readonly from: Date; readonly until: Date },
): Promise<SealedEntry[]> {
  const isInTime =
    time && sql`and l.created_at >= ${time.from.toJSON()} and l.created_at < ${time.until.toJSON()}`
  const { rows } = await tx.execute<SealedEntry & Record<string, unknown>>(sql`
    select ${sealedColumns} from log_entries l
    where l.id > ${String(after)} and l.id <= ${String(until)} ${isInTime} order by l.id`)
  return rows
}
