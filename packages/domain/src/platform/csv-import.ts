import { issueText } from '@kustos/contract/messages/english'
import type { z } from 'zod'
import { type Columns, type Line, readCsv } from './csv.ts'

export type Outcome = 'added' | 'changed' | 'unchanged'

export type ImportedLine = { readonly line: number; readonly name: string } & (
  | { readonly outcome: Outcome }
  | { readonly outcome: 'invalid'; readonly message: string }
)

export interface ImportReport {
  readonly lines: readonly ImportedLine[]
  /** False if a line is invalid and `skipBad` is false. */
  readonly isWritten: boolean
}

export interface ImportOptions {
  readonly fileName: string
  /** Skips invalid lines instead of rejecting the file. */
  readonly skipBad: boolean
}

export interface LineKind<Entry> {
  readonly columns: Columns
  readonly schema: z.ZodType<Entry>
  /** Unique within a file. */
  readonly key: (entry: Entry) => string
  readonly name: (values: Line['values']) => string
}

export type ReadLine<Entry> = { readonly line: number; readonly name: string } & (
  | { readonly entry: Entry }
  | { readonly message: string }
)

/** @throws UnreadableFileError if the file is not a list */
export function readLines<Entry>(file: Uint8Array, kind: LineKind<Entry>): readonly ReadLine<Entry>[] {
  const seen = new Map<string, number>()
  return readCsv(file, kind.columns).map(({ line, values, mistake }): ReadLine<Entry> => {
    const named = { line, name: kind.name(values) }
    if (mistake !== null) return { ...named, message: `${mistake}.` }
    const parsed = kind.schema.safeParse(values)
    if (!parsed.success) {
      const messages = parsed.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${issueText(message)}`,
      )
      return { ...named, message: `${messages.join('; ')}.` }
    }
    const key = kind.key(parsed.data)
    const first = seen.get(key)
    if (first !== undefined) return { ...named, message: `Duplicate of line ${first}.` }
    seen.set(key, line)
    return { ...named, entry: parsed.data }
  })
}
