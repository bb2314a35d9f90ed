import { z } from 'zod'
import { DamagedBackupError } from './errors.ts'
import { parseJson } from './header.ts'

const sequenceSchema = z.object({
  name: z.string(),
  // Text, because it may exceed the integers of a number.
  last: z.string().regex(/^-?\d+$/),
  /** Whether `last` has been handed out. */
  called: z.boolean(),
})

export type SequenceState = Readonly<z.infer<typeof sequenceSchema>>

const bodySchemas = {
  /** Rows of this table follow. */
  table: z.object({ table: z.string() }),
  'table end': z.object({ rows: z.number() }),
  end: z.object({ rows: z.number(), sequences: z.array(sequenceSchema).readonly() }),
}
type Bodies = { readonly [Kind in keyof typeof bodySchemas]: z.infer<(typeof bodySchemas)[Kind]> }

/** The content of a backup after its header, compressed. Rows are in COPY's text format, split anywhere. */
export type BackupRecord =
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly [Kind in keyof Bodies]: { readonly kind: Kind } & Bodies[Kind] }[keyof Bodies]

const kinds = ['table', 'rows', 'table end', 'end'] as const
/** One byte for the kind, four for the length of the body. */
const prefixBytes = 5
const maxBodyBytes = 1 << 20

/** The bytes of a record, in frames of at most a MiB. */
export function* encodeRecord(record: BackupRecord): Generator<Buffer> {
  const kind = kinds.indexOf(record.kind)
  if (record.kind !== 'rows')
    yield* encodeFrame(kind, Buffer.from(JSON.stringify({ ...record, kind: undefined })))
  else
    for (let at = 0; at < record.bytes.length; at += maxBodyBytes)
      yield* encodeFrame(kind, record.bytes.subarray(at, at + maxBodyBytes))
}

function* encodeFrame(kind: number, bytes: Buffer): Generator<Buffer> {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt8(kind)
  prefix.writeUInt32BE(bytes.length, 1)
  yield prefix
  yield bytes
}

/** @throws DamagedBackupError if the bytes are not what `encodeRecord` wrote */
export async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at >= prefixBytes) {
      const length = rest.readUInt32BE(at + 1)
      if (length > maxBodyBytes) throw new DamagedBackupError('a piece is too long')
      const end = at + prefixBytes + length
      if (rest.length < end) break
      yield decodeRecord(rest.readUInt8(at), rest.subarray(at + prefixBytes, end))
      at = end
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new DamagedBackupError('its last piece is not whole')
}

function decodeRecord(number: number, bytes: Buffer): BackupRecord {
  const kind = kinds[number]
  if (kind === undefined) throw new DamagedBackupError('a piece is of no known kind')
  if (kind === 'rows') return { kind, bytes }
  const body = bodySchemas[kind].safeParse(parseJson(bytes.toString()))
  if (!body.success) throw new DamagedBackupError('a piece is not what its kind says')
  return { kind, ...body.data } as BackupRecord
}
