import { existsSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@kustos/database/client'
import { logArchives, logSeals } from '@kustos/database/tables'
import { and, count, eq, inArray, max, sql } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { partialSuffix } from '../platform/write-file.ts'
import {
  type ArchiveCheck,
  type ArchiveHeader,
  type ArchivePart,
  checkArchive,
  writeArchive,
} from './archive-file.ts'
import { type ChainHead, lastIdOf } from './chain.ts'
import { readEntries, readSeals } from './verify.ts'

/** A part of the log that is older than the retention. */
interface OldPart {
  readonly partition: string
  readonly from: Date
  readonly until: Date
  /** The ids of its entries; null if it has none. */
  readonly ids: { readonly first: bigint; readonly last: bigint } | null
}

/**
 * Moves the oldest part of the audit log that is older than the retention to a file. The part is dropped once the file has been
 * read back, so a process that dies before leaves a file that the next one continues with.
 * @param folder null if none is configured
 * @returns null if there is nothing to move, or it is not sealed yet
 * @throws Error with a sentence for the operator
 */
export async function archiveLog(
  context: Context,
  folder: string | null,
  signal: AbortSignal,
): Promise<{ readonly file: string; readonly entries: number } | null> {
  const { db } = context
  const part = await findOldPart(db)
  if (part === null) return null
  if (folder === null)
    throw new Error('AUDIT_RETENTION is set for the API, but AUDIT_ARCHIVE_DIR is not set for this worker.')
  const seals = part.ids && (await findSeals(db, part.ids))
  if (seals === null && part.ids !== null) return null
  const header = { from: part.from, until: part.until, lastSeal: seals?.last ?? 0 }
  const file = `audit-${day(part.from)}-${day(part.until)}-seal-${header.lastSeal}.ndjson.gz`
  const path = join(folder, file)
  if (!existsSync(path)) {
    await removePartials(folder, file)
    await writeArchive(path, header, readParts(db, part, seals), signal)
  }
  const archive = await checkArchive(path, (heads) => hasSeals(db, heads))
  const fault = archive.fault ?? (isSame(archive, header) ? null : 'It covers a different period.')
  if (fault !== null)
    throw new Error(`${path} is not the archive of this part of the log. Move it away. ${fault}`)
  signal.throwIfAborted()
  await withAudit(context, async (tx) => {
    // Everybody who reads users, as each request does, waits while it waits. So it does not wait for a long transaction, such as a
    // backup. The next run tries again.
    await tx.db.execute(sql`set local lock_timeout = '200ms'`)
    await tx.db.execute(sql`select drop_archived_log_partition(
      ${part.partition}, ${file}, ${archive.entries}, ${archive.entriesHash}, ${archive.lastSeal})`)
    const attributes = { file, from: part.from, until: part.until, rows: archive.entries }
    await tx.record({ log: 'audit-log', description: 'archived', attributes })
  })
  return { file, entries: archive.entries }
}

/**
 * Compares an archive with its seals, with the chain, and with what was recorded when its entries were dropped.
 * @throws Error with a sentence if the file cannot be read or is no archive
 */
export async function verifyArchive({ db }: Context, path: string): Promise<ArchiveCheck> {
  const archive = await checkArchive(path, (heads) => hasSeals(db, heads))
  if (archive.fault !== null) return archive
  const { last_seal, from_at, until_at } = logArchives
  const [recorded] = await db
    .select()
    .from(logArchives)
    .where(and(eq(last_seal, archive.lastSeal), eq(from_at, archive.from), eq(until_at, archive.until)))
  if (!recorded) return { ...archive, fault: 'This database has not recorded such an archive.' }
  if (recorded.entries_hash === archive.entriesHash) return archive
  return {
    ...archive,
    fault:
      recorded.entries === archive.entries
        ? 'The entries are not those that were archived.'
        : `${recorded.entries} entries were archived, and the file has ${archive.entries}.`,
  }
}

const day = (at: Date) => at.toISOString().slice(0, 10)

const isSame = (a: ArchiveHeader, b: ArchiveHeader) =>
  a.from.getTime() === b.from.getTime() &&
  a.until.getTime() === b.until.getTime() &&
  a.lastSeal === b.lastSeal

async function findOldPart(db: Database): Promise<OldPart | null> {
  const { rows } = await db.execute<{
    name: string
    from: string
    until: string
    first: string | null
    last: string
  }>(sql`
    select p.name, to_json(p.starts) #>> '{}' as from, to_json(p.ends) #>> '{}' as until, ids.first::text, ids.last::text
    from log_partitions() p, log_settings s,
      lateral (select min(id), max(id) from log_entries where created_at >= p.starts and created_at < p.ends) ids (first, last)
    where p.ends <= now() - make_interval(months => s.retention_months) order by p.ends limit 1`)
  const [found] = rows
  if (!found) return null
  const { name, from, until, first, last } = found
  const ids = first === null ? null : { first: BigInt(first), last: BigInt(last) }
  return { partition: name, from: new Date(from), until: new Date(until), ids }
}

/** @returns the numbers of the seals of the first and the last id; null if the last one is not sealed yet */
async function findSeals(db: Database, ids: NonNullable<OldPart['ids']>) {
  const [{ end } = { end: null }] = await db.select({ end: max(logSeals.number) }).from(logSeals)
  if (end === null) return null
  const last = await findSeal(db, ids.last, end)
  return last === null ? null : { first: (await findSeal(db, ids.first, last)) ?? last, last }
}

/** The first seal, up to this one, that covers the id. Numbers have no gaps, and ids grow with them. */
async function findSeal(db: Database, id: bigint, end: number): Promise<number | null> {
  const covers = async (number: number) => {
    const [seal] = await db
      .select({ entries: logSeals.entries })
      .from(logSeals)
      .where(eq(logSeals.number, number))
    return seal !== undefined && lastIdOf(seal) >= id
  }
  if (!(await covers(end))) return null
  let [low, high] = [1, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await covers(middle)) high = middle
    else low = middle + 1
  }
  return low
}

async function* readParts(
  db: Database,
  part: OldPart,
  seals: { readonly first: number; readonly last: number } | null,
): AsyncGenerator<ArchivePart> {
  if (part.ids === null || seals === null) return
  let after = part.ids.first - 1n
  for await (const batch of readSeals(db, seals.first - 1)) {
    const until = batch.at(-1)
    if (!until) return
    const entries = await readEntries(db, after, lastIdOf(until), part)
    for (const seal of batch) {
      if (seal.number > seals.last) return
      const lastId = lastIdOf(seal)
      const own = entries.filter(({ id }) => BigInt(id) > after && BigInt(id) <= lastId)
      if (own.length > 0) yield { seal, entries: own }
      after = lastId
    }
  }
}

/** Left by a process that ended while it wrote. */
async function removePartials(folder: string, file: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`${file}.`) && name.endsWith(partialSuffix)) await unlink(join(folder, name))
}

async function hasSeals(db: Database, seals: readonly ChainHead[]): Promise<boolean> {
  const hashes = seals.map(({ hash }) => hash)
  const [found] = await db
    .select({ seals: count() })
    .from(logSeals)
    .where(
      and(
        inArray(
          logSeals.number,
          seals.map(({ number }) => number),
        ),
        inArray(logSeals.hash, hashes),
      ),
    )
  return found?.seals === seals.length
}
