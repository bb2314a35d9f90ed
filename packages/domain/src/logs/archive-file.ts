import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { writeToFile } from '../platform/write-file.ts'
import {
  type ChainHead,
  findFault,
  linesOf,
  type Seal,
  type SealedEntry,
  serializeEntry,
  timeOfLine,
} from './chain.ts'

// An archive is NDJSON compressed by gzip: a header, then each seal, followed by its entries of the archive's time. The hash of an
// entry is that of its line.

/** The entries of the time from (inclusive) to until (exclusive) in the seals up to the last one. */
export interface ArchiveHeader {
  readonly from: Date
  readonly until: Date
  /** The last seal with entries of the archive; 0 if it has none. */
  readonly lastSeal: number
}

export interface ArchivePart {
  readonly seal: Seal
  /** Those of the archive's time, in the order of their ids. */
  readonly entries: readonly SealedEntry[]
}

export interface ArchiveCheck extends ArchiveHeader {
  /** A sentence about the first entry or seal that is not as it was; null if there is none. */
  readonly fault: string | null
  readonly entries: number
  /** SHA-256, in hexadecimal, over the lines of the entries in their seals. */
  readonly entriesHash: string
}

const time = z.iso.datetime().transform((text) => new Date(text))
const headerSchema = z.strictObject({
  kustos_audit_archive: z.literal(1),
  from: time,
  until: time,
  lastSeal: z.int().min(0),
})
const sealSchema = z.strictObject({
  number: z.int().min(1),
  sealedAt: time,
  previousHash: z.string(),
  entries: z.string(),
  hash: z.string(),
})
const text = z.string()
const textOrNull = text.nullable()
const id = text.regex(/^-?\d{1,19}$/)
const entrySchema = z
  // Releases up to 2026.11 left the id of the request out.
  .tuple([id, text, text, text, textOrNull, textOrNull, textOrNull, text, textOrNull.default(null)])
  .transform(
    ([
      entryId,
      created_at,
      log_name,
      description,
      subject_type,
      subject_id,
      causer_id,
      properties,
      request_id,
    ]) => ({
      id: entryId,
      created_at,
      log_name,
      description,
      subject_type,
      subject_id,
      causer_id,
      properties,
      request_id,
    }),
  )

/** Adds the line of an entry, in the form of its seal, to the hash of an archive. */
export const addLine = (hash: Hash, line: string): Hash => hash.update(`${line}\n`)

export const isWithin = ({ from, until }: Pick<ArchiveHeader, 'from' | 'until'>, at: Date): boolean =>
  at >= from && at < until

/** @throws FileError if the file exists or cannot be written */
export async function writeArchive(
  path: string,
  header: ArchiveHeader,
  parts: AsyncIterable<ArchivePart>,
  signal: AbortSignal,
): Promise<void> {
  async function* write() {
    yield `${JSON.stringify({ kustos_audit_archive: 1, ...header })}\n`
    for await (const { seal, entries } of parts)
      yield `${[JSON.stringify(seal), ...entries.map(serializeEntry)].join('\n')}\n`
  }
  await writeToFile(path, { force: false }, (to) => pipeline(write, createGzip(), to, { signal }))
}

/**
 * Compares the entries of an archive with their seals, and these with a chain.
 * @param isInChain whether the chain has all of these seals
 * @throws Error with a sentence if the file cannot be read or is no archive
 */
export async function checkArchive(
  path: string,
  isInChain: (seals: readonly ChainHead[]) => Promise<boolean>,
): Promise<ArchiveCheck> {
  const hash = createHash('sha256')
  let header: ArchiveHeader | undefined
  let fault: string | null = null
  let count = 0
  let seals: Seal[] = []
  let open: { readonly seal: Seal; readonly entries: SealedEntry[] } | undefined

  const compareSeals = async () => {
    if (fault === null && !(await isInChain(seals)))
      fault = `Seals ${seals[0]?.number} to ${seals.at(-1)?.number} are not those of this database.`
    seals = []
  }
  const closeSeal = (of: ArchiveHeader) => {
    if (!open || fault !== null) return
    const { seal, entries } = open
    const previous = { number: seal.number - 1, hash: seal.previousHash }
    fault = findFault(previous, seal, entries, (line) => !isWithin(of, timeOfLine(line)))
    const lines = linesOf(seal).filter((line) => isWithin(of, timeOfLine(line)))
    for (const line of lines) addLine(hash, line)
    count += lines.length
  }

  const readLine = async (line: string) => {
    const value: unknown = JSON.parse(line)
    if (header === undefined) {
      header = headerSchema.parse(value)
      return
    }
    if (Array.isArray(value)) {
      if (!open) throw new SyntaxError('An entry precedes the first seal')
      open.entries.push(entrySchema.parse(value))
      return
    }
    closeSeal(header)
    const seal = sealSchema.parse(value)
    open = { seal, entries: [] }
    if (seals.push(seal) >= sealsPerQuery) await compareSeals()
  }
  try {
    await pipeline(createReadStream(path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const line of toLines(chunks)) await readLine(line)
    })
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError || isGzipError(error))
      throw new Error(`${path} is not an archive of the audit log, or is incomplete.`, { cause: error })
    throw error
  }
  if (header === undefined) throw new Error(`${path} is not an archive of the audit log: it is empty.`)
  closeSeal(header)
  if (seals.length > 0) await compareSeals()
  return { ...header, fault, entries: count, entriesHash: hash.digest('hex') }
}

const sealsPerQuery = 1_000

const isGzipError = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

async function* toLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
