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
export interface LegacySums {
  added: number
  changed: number
  /** The same in both systems. */
  unchanged: number
  /** Existing rows with other values, which were kept. */
  differing: number
  /** The number of lines about something that was left out. */
  problems: number
}

export interface LegacyReport {
  readonly sums: ReadonlyMap<LegacyPart, Readonly<LegacySums>>
  problem(part: LegacyPart, sentence: string): void
  note(part: LegacyPart, sentence: string): void
  progress(part: LegacyPart, sentence: string): void
  count(part: LegacyPart, what: Exclude<keyof LegacySums, 'problems'>, rows: number): void
}

/** @param tell is called for each line */
export function openReport(tell: (line: LegacyLine) => void): LegacyReport {
  const sums = new Map<LegacyPart, LegacySums>()
  const of = (part: LegacyPart): LegacySums => {
    const known = sums.get(part) ?? { added: 0, changed: 0, unchanged: 0, differing: 0, problems: 0 }
    sums.set(part, known)
    return known
  }
  return {
    sums,
    problem(part, sentence) {
      of(part).problems++
      tell({ kind: 'problem', part, sentence })
    },
    note: (part, sentence) => tell({ kind: 'note', part, sentence }),
    progress: (part, sentence) => tell({ kind: 'progress', part, sentence }),
    count(part, what, rows) {
      of(part)[what] += rows
    },
  }
}
