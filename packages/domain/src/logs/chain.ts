import { createHash } from 'node:crypto'

/** An entry as it is sealed: its columns as text, which do not depend on the settings of a connection. */
export interface SealedEntry {
  readonly id: string
  /** At UTC, such as 2026-11-23T09:54:00.123. */
  readonly created_at: string
  readonly log_name: string
  readonly description: string
  readonly subject_type: string | null
  readonly subject_id: string | null
  readonly causer_id: string | null
  /** The JSON as it was written. */
  readonly properties: string
  readonly request_id: string | null
}

export interface Seal {
  /** From 1, without gaps. */
  readonly number: number
  readonly sealedAt: Date
  /** The hash of the previous seal; `genesisHash` for the first one. */
  readonly previousHash: string
  /** A line for each entry, in the order of their ids: the id, the time and the hash, separated by spaces. */
  readonly entries: string
  readonly hash: string
}

/** The last seal of a chain. A copy of it shows later whether the chain before it was replaced. */
export interface ChainHead {
  readonly number: number
  readonly hash: string
}

const genesisHash = '0'.repeat(64)
export const emptyChain: ChainHead = { number: 0, hash: genesisHash }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The columns that releases up to 2026.11 hashed. */
const formerColumns = (entry: SealedEntry) => [
  entry.id,
  entry.created_at,
  entry.log_name,
  entry.description,
  entry.subject_type,
  entry.subject_id,
  entry.causer_id,
  entry.properties,
]

/** The line of an entry in a file, and what its hash is made from: a JSON array of its columns. */
export const serializeEntry = (entry: SealedEntry): string =>
  JSON.stringify([...formerColumns(entry), entry.request_id])

const linePattern = /^(\d{1,19}) (\S+) [0-9a-f]{64}$/
const toLine = ({ id, created_at: at }: SealedEntry, serialized: string) =>
  `${id} ${at} ${sha256(serialized)}`

const isLineOf = (line: string, entry: SealedEntry): boolean =>
  line === toLine(entry, serializeEntry(entry)) ||
  line === toLine(entry, JSON.stringify(formerColumns(entry)))

/** SHA-256, in hexadecimal, of the first lines and the lines of the entries, each of which ends with a line break. */
const hashSeal = ({ number, sealedAt, previousHash, entries }: Omit<Seal, 'hash'>) =>
  sha256(`kustos audit seal 1\n${number} ${sealedAt.toJSON()}\n${previousHash}\n${entries}\n`)

/** @param entries at least one, in the order of their ids */
export function createSeal(previous: ChainHead, entries: readonly SealedEntry[], sealedAt: Date): Seal {
  const unsealed = {
    number: previous.number + 1,
    sealedAt,
    previousHash: previous.hash,
    entries: entries.map((entry) => toLine(entry, serializeEntry(entry))).join('\n'),
  }
  return { ...unsealed, hash: hashSeal(unsealed) }
}

/**
 * Compares entries with their seal.
 * @param previous the seal before it
 * @param entries of the ids after that one's, up to the last of the seal, in their order
 * @param isElsewhere whether an entry that is not among them is known to be in another place, by its line
 * @returns a sentence about the first fault; null if there is none
 */
export function findFault(
  previous: ChainHead,
  seal: Seal,
  entries: readonly SealedEntry[],
  isElsewhere: (line: string) => boolean = () => false,
): string | null {
  const { number } = seal
  if (number !== previous.number + 1)
    return `Seal ${previous.number + 1} is missing; the next one is seal ${number}.`
  if (seal.previousHash !== previous.hash) return `Seal ${number} does not continue seal ${previous.number}.`
  if (seal.hash !== hashSeal(seal)) return `Seal ${number} was changed.`
  const remaining = entries[Symbol.iterator]()
  let next = remaining.next()
  for (const line of linesOf(seal)) {
    const [, id, createdAt] = linePattern.exec(line) ?? []
    if (id === undefined) return `Seal ${number} was changed.`
    if (!next.done && BigInt(next.value.id) < BigInt(id)) return describeAdded(next.value, number)
    if (next.done || next.value.id !== id) {
      if (isElsewhere(line)) continue
      return `Entry ${id} of ${createdAt} (UTC) is missing: it is in seal ${number}.`
    }
    if (!isLineOf(line, next.value))
      return `Entry ${id} of ${createdAt} (UTC) was changed after seal ${number}.`
    next = remaining.next()
  }
  return next.done ? null : describeAdded(next.value, number)
}

const describeAdded = ({ id, created_at: at }: SealedEntry, seal: number) =>
  `Entry ${id} of ${at} (UTC) was added after seal ${seal}, which covers its id.`

/** The last id that a seal covers; 0 if its entries are not what `createSeal` wrote. */
export const lastIdOf = ({ entries }: Pick<Seal, 'entries'>): bigint =>
  BigInt(linePattern.exec(entries.slice(entries.lastIndexOf('\n') + 1))?.[1] ?? 0)

/** An invalid date where the line is not one of `createSeal`, or its time not one of a Date. */
export const timeOfLine = (line: string): Date => new Date(`${linePattern.exec(line)?.[2]}Z`)

export const linesOf = ({ entries }: Pick<Seal, 'entries'>): readonly string[] => entries.split('\n')

export const countEntries = (seal: Pick<Seal, 'entries'>): number => linesOf(seal).length

/** Such as 12:a1b2…, as the log of the workers and the command line show it. */
export const formatHead = ({ number, hash }: ChainHead): string => `${number}:${hash}`

/** @returns null if the text is not what `formatHead` writes */
export function parseHead(text: string): ChainHead | null {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return number === undefined || hash === undefined ? null : { number: Number(number), hash }
}
