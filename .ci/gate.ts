/** What a gate found. A gate that is one check counts as one. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Shown where the gate failed: says what broke. */
  readonly output: string
}

export interface Gate {
  readonly name: string
  run(): Promise<Outcome>
}

export const pass: Outcome = { passed: 1, failed: 0, skipped: 0, output: '' }
export const fail = (output: string): Outcome => ({ passed: 0, failed: 1, skipped: 0, output })

/** The outcome of a check that lists what it complains about. */
export const judge = (complaints: readonly string[]): Outcome =>
  complaints.length === 0 ? pass : fail(complaints.join('\n'))
