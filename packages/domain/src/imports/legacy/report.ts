import { LegacyError } from '@kustos/clients/legacy'

/** The parts of the import, in order. */
export const legacyParts = [
  'nodes',
  'categories',
  'webs',
  'roles',
  'users',
  'external-domains',
  'domains',
  'emails',
  'uptime',
] as const
export type LegacyPart = (typeof legacyParts)[number]

/** A line of the report: something was left out, a remark, or progress. */
export interface LegacyLine {
  readonly kind: 'problem' | 'note' | 'progress'
  readonly part: LegacyPart
  readonly sentence: string
}

/** The number of rows of a part, or of days of uptime. */
export interface LegacyCounts {
  added: number
  changed: number
  /** The same in both systems. */
  unchanged: number
  /** Existing rows with other values, which were kept. */
  differing: number
  /** The number of lines about something that was left out. */
  problems: number
}

export type LegacyReport = ReturnType<typeof openReport>

/** @param onLine is called for each line */
export function openReport(onLine: (line: LegacyLine) => void) {
  const counts = new Map<LegacyPart, LegacyCounts>()
  const of = (part: LegacyPart): LegacyCounts => {
    const known = counts.get(part) ?? { added: 0, changed: 0, unchanged: 0, differing: 0, problems: 0 }
    counts.set(part, known)
    return known
  }
  return {
    counts: counts as ReadonlyMap<LegacyPart, Readonly<LegacyCounts>>,
    problem(part: LegacyPart, sentence: string) {
      of(part).problems++
      onLine({ kind: 'problem', part, sentence })
    },
    note: (part: LegacyPart, sentence: string) => onLine({ kind: 'note', part, sentence }),
    progress: (part: LegacyPart, sentence: string) => onLine({ kind: 'progress', part, sentence }),
    count(part: LegacyPart, what: Exclude<keyof LegacyCounts, 'problems'>, rows: number) {
      of(part)[what] += rows
    },
  }
}

/** Whether an error concerns only what was requested, so that the import can continue without it. */
export const isSkippable = (error: unknown): error is LegacyError =>
  error instanceof LegacyError && !/^(unreachable|busy)$/.test(error.failure)
