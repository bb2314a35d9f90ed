/** The counts of a gate; a gate that is a single check counts as one. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Tests that failed and passed when they were repeated. They are shown, but fail no run. */
  readonly flaky: number
}

export interface Outcome extends Counts {
  /** Printed under the gate's line if it is not empty. */
  readonly output: string
}

export interface Gate {
  readonly name: string
  run(): Promise<Outcome>
}

export const pass: Outcome = { passed: 1, failed: 0, skipped: 0, flaky: 0, output: '' }
export const fail = (output: string): Outcome => ({ passed: 0, failed: 1, skipped: 0, flaky: 0, output })

/** The outcome of a check that lists its complaints. */
export const judge = (complaints: readonly string[]): Outcome =>
  complaints.length === 0 ? pass : fail(complaints.join('\n'))
