import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Result } from './command.ts'
import { type Counts, fail, type Outcome } from './gate.ts'

/** More files than these do not fail by chance. */
const mostRepeated = 5
/** Named, since they decide how long a run takes. */
const slowestFiles = 8

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
  const first = await outcome(await run([]), path, vitestCounts, secondsOfModules)
  const files = first.failed > 0 ? await failedFiles(path) : []
  if (files.length === 0 || files.length > mostRepeated) return first
  const second = await outcome(await run(files), path, vitestCounts, () => new Map())
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

const secondsOfModules: ReadSeconds = (report) =>
  new Map(Object.entries(object(field(report, 'seconds'))).map(([file, seconds]) => [file, Number(seconds)]))

/** @param path of Playwright's report (its reporter `json`) */
export const playwrightOutcome = (result: Result, path: string): Promise<Outcome> =>
  outcome(result, path, playwrightCounts, secondsOfSuites)

function playwrightCounts(report: unknown): Counts {
  const stats = field(report, 'stats')
  return {
    passed: count(stats, 'expected'),
    failed: count(stats, 'unexpected'),
    skipped: count(stats, 'skipped'),
    flaky: count(stats, 'flaky'),
  }
}

const secondsOfSuites: ReadSeconds = (report) =>
  new Map(list(report, 'suites').map((suite) => [String(field(suite, 'file')), secondsOfSuite(suite)]))

const secondsOfSuite = (suite: unknown): number =>
  sum(list(suite, 'suites').map(secondsOfSuite)) +
  sum(
    list(suite, 'specs')
      .flatMap((spec) => list(spec, 'tests'))
      .flatMap((test) => list(test, 'results'))
      .map((result) => count(result, 'duration') / 1000),
  )

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** Of each file. */
type ReadSeconds = (report: unknown) => ReadonlyMap<string, number>

async function outcome(
  result: Result,
  path: string,
  read: (report: unknown) => Counts,
  readSeconds: ReadSeconds,
): Promise<Outcome> {
  const report = await readReport(path)
  const counts = report === null ? null : read(report)
  // A run can fail without a failed test: by a file that does not load, an error outside of tests, or no test at all.
  if (counts === null) return fail(result.output)
  if (counts.failed === 0 && (!result.ok || counts.passed === 0)) {
    return { ...counts, failed: 1, output: result.output || 'No test ran.' }
  }
  const slowest = [...readSeconds(report)]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, slowestFiles)
    .map(([file, seconds]) => `${basename(file)} ${seconds.toFixed(0)} s`)
  const output = counts.failed + counts.flaky > 0 ? `${result.output}\n` : ''
  return { ...counts, output: slowest.length === 0 ? output : `${output}slowest: ${slowest.join(', ')}` }
}

async function readReport(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    // The runner ended before it wrote its report.
    return null
  }
}

const object = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

const field = (value: unknown, key: string): unknown => new Map(Object.entries(object(value))).get(key)

function list(value: unknown, key: string): readonly unknown[] {
  const found = field(value, key)
  return Array.isArray(found) ? found : []
}

function count(value: unknown, key: string): number {
  const number = field(value, key)
  if (typeof number !== 'number') throw new Error(`The report has no ${key}.`)
  return number
}
