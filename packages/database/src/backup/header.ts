import { BackupRefusal } from './damage.ts'

/** Of the file's format; a later one may not be readable by an earlier program. */
const formatVersion = 1

/** A table, or a partition of one, and its columns in the order in which its rows have them. */
export interface Section {
  readonly table: string
  readonly columns: readonly string[]
}

/** A partition by a range of time. */
export interface Partition {
  readonly table: string
  readonly of: string
  /** As Postgres writes them, at UTC; `to` is exclusive. */
  readonly from: string
  readonly to: string
}

/** The first line of a backup, which is readable as it stands. */
export interface Header {
  /** When the snapshot was taken, as an ISO time. */
  readonly takenAt: string
  /** The last migration that made the schema. */
  readonly schema: { readonly tag: string; readonly at: number; readonly hash: string }
  readonly partitions: readonly Partition[]
  readonly sections: readonly Section[]
  /** Tables whose rows are not in it. */
  readonly leftOut: readonly string[]
}

export const writeHeader = (header: Header): Buffer =>
  Buffer.from(`${JSON.stringify({ kustos: 'backup', format: formatVersion, ...header })}\n`)

/**
 * Reads the first line.
 * @throws BackupRefusal where it is none of a backup, or of a newer format
 */
export function readHeader(line: string): Header {
  const read = parsed(line)
  if (!isObject(read) || read.kustos !== 'backup') throw noBackup()
  const { format } = read
  if (typeof format === 'number' && format > formatVersion) {
    throw new BackupRefusal(
      `The backup is of format ${format}, and this program reads ${formatVersion}: take a newer Kustos.`,
    )
  }
  if (format !== formatVersion || !isHeader(read)) throw noBackup()
  return read
}

const noBackup = () => new BackupRefusal('This is no backup of Kustos, or its first line was altered.')

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Some other file.
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isListOf = <T>(value: unknown, isEntry: (entry: unknown) => entry is T): value is T[] =>
  Array.isArray(value) && value.every(isEntry)

const isSection = (value: unknown): value is Section =>
  isObject(value) && isText(value.table) && isListOf(value.columns, isText)

const isPartition = (value: unknown): value is Partition =>
  isObject(value) && [value.table, value.of, value.from, value.to].every(isText)

const isHeader = (value: Record<string, unknown>): value is Record<string, unknown> & Header =>
  isText(value.takenAt) &&
  isObject(value.schema) &&
  isText(value.schema.tag) &&
  isText(value.schema.hash) &&
  typeof value.schema.at === 'number' &&
  isListOf(value.partitions, isPartition) &&
  isListOf(value.sections, isSection) &&
  isListOf(value.leftOut, isText)
