import { comparedDomain, type DomainLine } from '@kustos/contract/external-domains'

export type ValidLine = Extract<DomainLine, { verdict: 'valid' }>

/** A line as it is shown: not empty, and perhaps refused by the server. */
export type ShownLine =
  | Exclude<DomainLine, { verdict: 'empty' }>
  | (Omit<ValidLine, 'verdict'> & { readonly verdict: 'failed' } & Refusal)

/** What the server said of a domain. */
export interface Refusal {
  readonly message: string
  /** Whether it would say so again, as long as the line stays as it is. */
  readonly isFinal: boolean
}

export const isValid = (line: DomainLine): line is ValidLine => line.verdict === 'valid'

/**
 * The lines with what the server said of them, without the empty ones.
 * @param failures by the domain in its compared form: whoever changes a line gets rid of what was said of it
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
  /** Will be sent, those among them that failed before and may do now. */
  readonly valid: number
  /** On another line or in the list already: never sent. */
  readonly known: number
  readonly wrong: number
}

/** Whether a line is worth sending: what the server has refused for good is not. */
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
