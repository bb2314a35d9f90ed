import { comparedDomain, type DomainLine } from '@kustos/contract/external-domains'

export type ValidLine = Extract<DomainLine, { verdict: 'valid' }>

/** A non-empty line, which the server may have rejected. */
export type ShownLine =
  | Exclude<DomainLine, { verdict: 'empty' }>
  | (Omit<ValidLine, 'verdict'> & { readonly verdict: 'failed' } & Refusal)

export interface Refusal {
  readonly message: string
  /** Whether the same line would be rejected again. */
  readonly isFinal: boolean
}

export const isValid = (line: DomainLine): line is ValidLine => line.verdict === 'valid'

/**
 * The non-empty lines with the server's answers.
 * @param failures by normalized domain, so editing a line clears its error
 */
export function shownLines(
  lines: readonly DomainLine[],
  failures: ReadonlyMap<string, Refusal>,
): readonly ShownLine[] {
  return lines.flatMap((line): readonly ShownLine[] => {
    if (line.verdict === 'empty') return []
    if (line.verdict !== 'valid' || failures.size === 0) return [line]
    const refusal = failures.get(comparedDomain(line.fqdn))
    return [refusal === undefined ? line : { ...line, verdict: 'failed', ...refusal }]
  })
}

export interface Counts {
  /** Lines to send, including failed ones that may be retried. */
  readonly valid: number
  /** Duplicates and listed domains, which are never sent. */
  readonly known: number
  readonly wrong: number
}

/** Whether a line is sent: not if the server rejected it for good. */
export const isToSend = (line: ShownLine): boolean =>
  line.verdict === 'valid' || (line.verdict === 'failed' && !line.isFinal)

export function countsOf(lines: readonly ShownLine[]): Counts {
  const counts = { valid: 0, known: 0, wrong: 0 }
  for (const line of lines) {
    if (isToSend(line)) counts.valid++
    else if (line.verdict === 'invalid' || line.verdict === 'failed') counts.wrong++
    else counts.known++
  }
  return counts
}

export const isTrouble = ({ verdict }: ShownLine): boolean => verdict !== 'valid'

/** The text without some of its lines and without empty ones. */
export const textOf = (lines: readonly DomainLine[], leaves: (line: DomainLine) => boolean): string =>
  lines
    .filter((line) => line.verdict !== 'empty' && !leaves(line))
    .map(({ typed }) => typed)
    .join('\n')

/** Start and end of a line in the text, for a selection; lines count from 1. */
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
