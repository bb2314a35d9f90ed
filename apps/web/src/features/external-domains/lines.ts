import { type DomainLine, normalizeDomain } from '@kustos/contract/external-domains'

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
 * The non-empty lines with the server's errors.
 * @param failures by normalized domain, so editing a line clears its error
 */
export function applyRefusals(
  lines: readonly DomainLine[],
  failures: ReadonlyMap<string, Refusal>,
): readonly ShownLine[] {
  return lines.flatMap((line): readonly ShownLine[] => {
    if (line.verdict === 'empty') return []
    if (line.verdict !== 'valid' || failures.size === 0) return [line]
    const refusal = failures.get(normalizeDomain(line.fqdn))
    return [refusal === undefined ? line : { ...line, verdict: 'failed', ...refusal }]
  })
}

export interface Counts {
  /** Lines to send, including failed ones that may be retried. */
  readonly valid: number
  /** Lines whose domain is in another line or in the list already, which are never sent. */
  readonly duplicate: number
  readonly wrong: number
}

export type SendableLine = Extract<ShownLine, { verdict: 'valid' | 'failed' }>

/** Whether a line is sent: not if the server rejected it for good. */
export const isPending = (line: ShownLine): line is SendableLine =>
  line.verdict === 'valid' || (line.verdict === 'failed' && !line.isFinal)

export function countLines(lines: readonly ShownLine[]): Counts {
  const counts = { valid: 0, duplicate: 0, wrong: 0 }
  for (const line of lines) {
    if (line.verdict === 'duplicate' || line.verdict === 'listed') counts.duplicate++
    else if (isPending(line)) counts.valid++
    else counts.wrong++
  }
  return counts
}

export const hasProblem = ({ verdict }: ShownLine): boolean => verdict !== 'valid'

/** Returns the text without the removed and the empty lines. */
export const removeLines = (lines: readonly DomainLine[], isRemoved: (line: DomainLine) => boolean): string =>
  lines
    .filter((line) => line.verdict !== 'empty' && !isRemoved(line))
    .map(({ typed }) => typed)
    .join('\n')

/** Start and end of a line in the text, for a selection; lines count from 1. */
export function getLineRange(text: string, line: number): readonly [number, number] {
  let start = 0
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start)
    if (end === -1) break
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return [start, end === -1 ? text.length : end]
}
