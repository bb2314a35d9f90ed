import { z } from 'zod'
import { BackupError } from './errors.ts'

/** Increased with every change that an earlier program could not read. */
const formatVersion = 1

const text = z.string()
const sectionSchema = z.object({ table: text, columns: z.array(text).readonly() })
const partitionSchema = z.object({ table: text, of: text, from: text.nullable(), to: text.nullable() })
const headerSchema = z.object({
  takenAt: text,
  schema: z.object({ tag: text, at: z.number(), hash: text }),
  partitions: z.array(partitionSchema).readonly(),
  sections: z.array(sectionSchema).readonly(),
  leftOut: z.array(text).readonly(),
})

/** A table, or a partition of one, and its columns in the order of its rows. */
export type Section = Readonly<z.infer<typeof sectionSchema>>

/** A partition by time or day: from (inclusive) to (exclusive), as PostgreSQL writes them at UTC; null for all other times. */
export type Partition = Readonly<z.infer<typeof partitionSchema>>

/** The first line of a backup: when its snapshot was taken (ISO 8601), the last migration, and the tables with and without rows. */
export type Header = Readonly<z.infer<typeof headerSchema>>

export const writeHeader = (header: Header): Buffer =>
  Buffer.from(`${JSON.stringify({ kustos: 'backup', format: formatVersion, ...header })}\n`)

/**
 * Reads the first line.
 * @throws BackupError if it is not a backup's, or has a newer format
 */
export function readHeader(line: string): Header {
  const envelope = z.object({ kustos: z.literal('backup'), format: z.number() }).safeParse(parseJson(line))
  if (!envelope.success) throw notABackup()
  const { format } = envelope.data
  if (format > formatVersion)
    throw new BackupError(
      `The backup is of format ${format}, and this program reads ${formatVersion}: take a newer Kustos.`,
    )
  const header = headerSchema.safeParse(parseJson(line))
  if (format !== formatVersion || !header.success) throw notABackup()
  return header.data
}

const notABackup = () => new BackupError('This is not a backup of Kustos, or its first line was altered.')

/** Returns null if the text is not JSON. */
export function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
