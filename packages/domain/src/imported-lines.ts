import type { z } from 'zod'
import { type Columns, type Line, readCsv } from './csv.ts'

/** What becomes of a row. */
export type Outcome = 'added' | 'changed' | 'unchanged'

/** What is to be said of a line of the file. */
export type ImportedLine = { readonly line: number; readonly name: string } & (
  | { readonly outcome: Outcome }
  | { readonly outcome: 'wrong'; readonly message: string }
)

export interface ImportReport {
  readonly lines: readonly ImportedLine[]
  /** False where a line is wrong, and bad ones are not to be skipped: then nothing is. */
  readonly isWritten: boolean
}

export interface ImportOptions {
  /** For the log. */
  readonly fileName: string
  /** Leaves wrong lines out instead of refusing the file. */
  readonly skipBad: boolean
}

/** How the lines of a file become entries. */
export interface LineKind<Entry> {
  readonly columns: Columns
  readonly schema: z.ZodType<Entry>
  /** Of which there may be one in a file. */
  readonly key: (entry: Entry) => string
  readonly name: (values: Line['values']) => string
}

/** A line, with its entry or why it is none. */
export type ReadLine<Entry> = { readonly line: number; readonly name: string } & (
  | { readonly entry: Entry }
  | { readonly message: string }
)

/** @throws UnreadableFile where the file is no list at all */
export function readLines<Entry>(file: Uint8Array, kind: LineKind<Entry>): readonly ReadLine<Entry>[] {
  const seen = new Map<string, number>()
  return readCsv(file, kind.columns).map(({ line, values, mistake }): ReadLine<Entry> => {
    const named = { line, name: kind.name(values) }
    if (mistake !== null) return { ...named, message: `${mistake}.` }
    const parsed = kind.schema.safeParse(values)
    if (!parsed.success) {
      const messages = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      return { ...named, message: `${messages.join('; ')}.` }
    }
    const key = kind.key(parsed.data)
    const first = seen.get(key)
    if (first !== undefined) return { ...named, message: `It stands on line ${first} already.` }
    seen.set(key, line)
    return { ...named, entry: parsed.data }
  })
}
