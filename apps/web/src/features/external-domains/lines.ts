import { comparedDomain, type DomainLine } from '@kustos/contract/external-domains'

export type ValidLine = Extract<DomainLine, { verdict: 'valid' }>

/** A line as it is shown: not empty, and perhaps refused by the server. */
export type ShownLine =
  | Exclude<DomainLine, { verdict: 'empty' }>
  | (Omit<ValidLine, 'verdict'> & { readonly verdict: 'failed'; readonly message: string })

export const isValid = (line: DomainLine): line is ValidLine => line.verdict === 'valid'

/**
 * The lines with what the server said of them, without the empty ones.
 * @param failures sentences by the domain in its compared form: whoever changes a line gets rid of its sentence
 */
export function shownLines(
  lines: readonly DomainLine[],
  failures: ReadonlyMap<string, string>,
): readonly ShownLine[] {
  return lines.flatMap((line): readonly ShownLine[] => {
    if (line.verdict === 'empty') return []
    if (line.verdict !== 'valid' || failures.size === 0) return [line]
    const message = failures.get(comparedDomain(line.fqdn))
    return [message === undefined ? line : { ...line, verdict: 'failed', message }]
  })
}

export interface Counts {
  /** Will be sent, those that failed before among them. */
  readonly valid: number
  /** On another line or in the list already: never sent. */
  readonly known: number
  readonly wrong: number
}

export function countsOf(lines: readonly ShownLine[]): Counts {
  const counts = { valid: 0, known: 0, wrong: 0 }
  for (const { verdict } of lines) {
    if (verdict === 'valid' || verdict === 'failed') counts.valid++
    else if (verdict === 'invalid') counts.wrong++
    else counts.known++
  }
  return counts
}

export const isTrouble = ({ verdict }: ShownLine): boolean => verdict !== 'valid'

/** The text without some of its lines; what is left stays as it was typed, and empty lines go. */
export const textOf = (lines: readonly DomainLine[], leaves: (line: DomainLine) => boolean): string =>
  lines
    .filter((line) => line.verdict !== 'empty' && !leaves(line))
    .map(({ typed }) => typed)
    .join('\n')

/** Where a line begins and ends in the text, for a selection; lines count from 1. */
export function spanOfLine(text: string, line: number): readonly [number, number] {
  let start = 0
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start)
    if (end === -1) break
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return [start, end === -1 ? text.length : end]
}
