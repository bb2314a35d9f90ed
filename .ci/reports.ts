import { readFile } from 'node:fs/promises'
import type { Result } from './command.ts'
import { type Counts, fail, type Outcome } from './gate.ts'

/** @param path of the counts (counting-reporter.ts) */
export const vitestOutcome = (result: Result, path: string): Promise<Outcome> =>
  outcome(result, path, (counts) => ({
    passed: count(counts, 'passed'),
    failed: count(counts, 'failed'),
    skipped: count(counts, 'skipped'),
    flaky: count(counts, 'flaky'),
  }))

/** @param path of Playwright's report (its reporter `json`) */
export const playwrightOutcome = (result: Result, path: string): Promise<Outcome> =>
  outcome(result, path, (report) => {
    const stats = field(report, 'stats')
    return {
      passed: count(stats, 'expected'),
      failed: count(stats, 'unexpected'),
      skipped: count(stats, 'skipped'),
      flaky: count(stats, 'flaky'),
    }
  })

async function outcome(result: Result, path: string, read: (report: unknown) => Counts): Promise<Outcome> {
  const counts = await countsIn(path, read)
  // A run can fail without a failed test: by a file that does not load, an error outside of tests, or no test at all.
  if (counts === null) return fail(result.output)
  if (counts.failed === 0 && (!result.ok || counts.passed === 0)) {
    return { ...counts, failed: 1, output: result.output || 'No test ran.' }
  }
  return { ...counts, output: counts.failed + counts.flaky > 0 ? result.output : '' }
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
