import { readFile } from 'node:fs/promises'
import type { Result } from './command.ts'
import { type Counts, fail, type Outcome } from './gate.ts'

/** More files than these do not fail by chance. */
const mostRepeated = 5

/**
 * The outcome of a run of vitest. Files with a failed test are repeated once, whole and in a new process, since tests of a
 * file build on one another; what passes then is flaky.
 *
 * @param run runs the given files, or all, and writes the counts to `path` (counting-reporter.ts)
 */
export async function vitestOutcome(
  path: string,
  run: (files: readonly string[]) => Promise<Result>,
): Promise<Outcome> {
  const first = await outcome(await run([]), path, vitestCounts)
  const files = first.failed > 0 ? await failedFiles(path) : []
  if (files.length === 0 || files.length > mostRepeated) return first
  const second = await outcome(await run(files), path, vitestCounts)
  return {
    passed: first.passed,
    failed: second.failed,
    skipped: first.skipped,
    flaky: Math.max(0, first.failed - second.failed),
    output: `${first.output}\nrepeated: ${files.join(', ')}\n${second.output}`,
  }
}

const vitestCounts = (report: unknown): Counts => ({
  passed: count(report, 'passed'),
  failed: count(report, 'failed'),
  skipped: count(report, 'skipped'),
  flaky: 0,
})

async function failedFiles(path: string): Promise<readonly string[]> {
  try {
    const files = field(JSON.parse(await readFile(path, 'utf8')), 'failedFiles')
    return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
  } catch {
    return []
  }
}

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
