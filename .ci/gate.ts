/** The counts of a gate; a gate that is a single check counts as one. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Printed under the gate's line if it is not empty. */
  readonly output: string
}

export interface Gate {
  readonly name: string
  run(): Promise<Outcome>
}

export const pass: Outcome = { passed: 1, failed: 0, skipped: 0, output: '' }
export const fail = (output: string): Outcome => ({ passed: 0, failed: 1, skipped: 0, output })

/** The outcome of a check that lists its complaints. */
export const judge = (complaints: readonly string[]): Outcome =>
  complaints.length === 0 ? pass : fail(complaints.join('\n'))
