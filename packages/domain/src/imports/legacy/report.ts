/** What is taken, in this order. */
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

/** A line of the report: something was left out; something is worth knowing; how far it is. */
export interface LegacyLine {
  readonly kind: 'problem' | 'note' | 'progress'
  readonly part: LegacyPart
  readonly sentence: string
}

/** Rows of a part; of uptime days. */
export interface LegacySums {
  added: number
  changed: number
  /** As they were, and as the source has them. */
  unchanged: number
  /** There with other values, which stay. */
  differing: number
  /** Lines that say of something that it was not taken. */
  problems: number
}

export interface LegacyReport {
  readonly sums: ReadonlyMap<LegacyPart, Readonly<LegacySums>>
  problem(part: LegacyPart, sentence: string): void
  note(part: LegacyPart, sentence: string): void
  progress(part: LegacyPart, sentence: string): void
  count(part: LegacyPart, what: Exclude<keyof LegacySums, 'problems'>, rows: number): void
}

/** @param tell hears each line as it comes */
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
