import { Damaged } from './damage.ts'

/** How far a sequence has come; as text, since it may pass what a number holds exactly. */
export interface SequenceState {
  readonly name: string
  readonly last: string
  /** Whether `last` has been handed out already. */
  readonly called: boolean
}

/** What a backup is made of, behind its header and compressed. */
export type BackupRecord =
  /** Rows of this table follow. */
  | { readonly kind: 'table'; readonly table: string }
  /** As COPY writes rows in its text format, cut anywhere. */
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'table end'; readonly rows: number }
  | { readonly kind: 'end'; readonly rows: number; readonly sequences: readonly SequenceState[] }

const kinds = ['table', 'rows', 'table end', 'end'] as const
/** A byte for the kind, four for the length of what follows. */
const prefix = 5
const longest = 1 << 20

/** The bytes of a record, in pieces that can be read back without much memory. */
export function* written(record: BackupRecord): Generator<Buffer> {
  const kind = kinds.indexOf(record.kind)
  if (record.kind !== 'rows') yield* framed(kind, Buffer.from(JSON.stringify({ ...record, kind: undefined })))
  else
    for (let at = 0; at < record.bytes.length; at += longest)
      yield* framed(kind, record.bytes.subarray(at, at + longest))
}

function* framed(kind: number, bytes: Buffer): Generator<Buffer> {
  const start = Buffer.alloc(prefix)
  start.writeUInt8(kind)
  start.writeUInt32BE(bytes.length, 1)
  yield start
  yield bytes
}

/** @throws Damaged where the bytes are not what `written` made */
export async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at >= prefix) {
      const length = rest.readUInt32BE(at + 1)
      if (length > longest) throw new Damaged('a piece is too long')
      const end = at + prefix + length
      if (rest.length < end) break
      yield recordOf(rest.readUInt8(at), rest.subarray(at + prefix, end))
      at = end
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new Damaged('its last piece is not whole')
}

function recordOf(number: number, bytes: Buffer): BackupRecord {
  const kind = kinds[number]
  if (kind === 'rows') return { kind, bytes }
  const told = kind && parsed(bytes)
  if (!told) throw new Damaged('a piece is of no known kind')
  const { table, rows, sequences } = told
  if (kind === 'table' && typeof table === 'string') return { kind, table }
  if (kind === 'table end' && typeof rows === 'number') return { kind, rows }
  if (kind === 'end' && typeof rows === 'number' && isListOfSequences(sequences))
    return { kind, rows, sequences }
  throw new Damaged('a piece is not what its kind says')
}

const isListOfSequences = (value: unknown): value is SequenceState[] =>
  Array.isArray(value) &&
  value.every(
    (entry: Partial<SequenceState> | null) =>
      typeof entry?.name === 'string' &&
      /^-?\d+$/.test(entry.last ?? '') &&
      typeof entry.called === 'boolean',
  )

function parsed(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    // Not JSON.
    return null
  }
}
