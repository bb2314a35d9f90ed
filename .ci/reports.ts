import { readFile } from 'node:fs/promises'
import type { Result } from './command.ts'
import type { Outcome } from './gate.ts'

/** The counts of a test runner's JSON report. */
interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** How many of the passed ones passed only when they were repeated. */
  readonly flaky: number
  /** What made them fail at first, where the runner does not print it. */
  readonly flakyReasons?: string
}

/** @param path of vitest's report (its reporter `json`) */
export const vitestOutcome = (result: Result, path: string): Promise<Outcome> =>
  outcome(result, path, (report) => ({
    passed: count(report, 'numPassedTests'),
    failed: count(report, 'numFailedTests'),
    skipped: count(report, 'numPendingTests') + count(report, 'numTodoTests'),
    ...flakyIn(report),
  }))

/** @param path of Playwright's report (its reporter `json`) */
export const playwrightOutcome = (result: Result, path: string): Promise<Outcome> =>
  outcome(result, path, (report) => {
    const stats = field(report, 'stats')
    return {
      passed: count(stats, 'expected') + count(stats, 'flaky'),
      failed: count(stats, 'unexpected'),
      skipped: count(stats, 'skipped'),
      flaky: count(stats, 'flaky'),
    }
  })

async function outcome(result: Result, path: string, read: (report: unknown) => Counts): Promise<Outcome> {
  const counts = await countsIn(path, read)
  // A run can fail without a failed test: by a file that does not load, an error outside of tests, or no test at all.
  if (counts === null) return { passed: 0, failed: 1, skipped: 0, output: result.output }
  if (counts.failed === 0 && (!result.ok || counts.passed === 0)) {
    return { ...counts, failed: 1, output: result.output || 'No test ran.' }
  }
  if (counts.failed > 0) return { ...counts, output: result.output }
  return { ...counts, output: counts.flaky > 0 ? (counts.flakyReasons ?? result.output) : '' }
}

/** A test of vitest that passed when it was repeated keeps the messages of its failures. */
function flakyIn(report: unknown): Pick<Counts, 'flaky' | 'flakyReasons'> {
  const flaky = list(field(report, 'testResults'))
    .flatMap((file) => list(field(file, 'assertionResults')))
    .filter((test) => field(test, 'status') === 'passed' && list(field(test, 'failureMessages')).length > 0)
  const reasons = flaky.map(
    (test) => `flaky: ${field(test, 'fullName')}\n${list(field(test, 'failureMessages')).join('\n')}`,
  )
  return { flaky: flaky.length, flakyReasons: reasons.join('\n') }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

async function countsIn(path: string, read: (report: unknown) => Counts): Promise<Counts | null> {
  try {
    return read(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    // The runner ended before it wrote its report.
    return null
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined
}

function count(value: unknown, key: string): number {
  const number = field(value, key)
  if (typeof number !== 'number') throw new Error(`The report has no ${key}.`)
  return number
}
