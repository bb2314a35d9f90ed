import { readFile } from 'node:fs/promises'
import type { Result } from './command.ts'
import type { Outcome } from './gate.ts'

/** The counts of a test runner's JSON report. */
interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** @param path of vitest's report (its reporter `json`) */
export const vitestOutcome = (result: Result, path: string): Promise<Outcome> =>
  outcome(result, path, (report) => ({
    passed: count(report, 'numPassedTests'),
    failed: count(report, 'numFailedTests'),
    skipped: count(report, 'numPendingTests') + count(report, 'numTodoTests'),
  }))

/** @param path of Playwright's report (its reporter `json`); a test that passes only when repeated has failed */
export const playwrightOutcome = (result: Result, path: string): Promise<Outcome> =>
  outcome(result, path, (report) => {
    const stats = field(report, 'stats')
    return {
      passed: count(stats, 'expected'),
      failed: count(stats, 'unexpected') + count(stats, 'flaky'),
      skipped: count(stats, 'skipped'),
    }
  })

async function outcome(result: Result, path: string, read: (report: unknown) => Counts): Promise<Outcome> {
  const counts = await countsIn(path, read)
  // A run can fail without a failed test: by a file that does not load, an error outside of tests, or no test at all.
  if (counts === null) return { passed: 0, failed: 1, skipped: 0, output: result.output }
  if (counts.failed === 0 && (!result.ok || counts.passed === 0)) {
    return { ...counts, failed: 1, output: result.output || 'No test ran.' }
  }
  return { ...counts, output: counts.failed > 0 ? result.output : '' }
}

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
