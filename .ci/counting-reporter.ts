import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'
import type { Counts } from './gate.ts'

/** Writes the counts of a run to the file KUSTOS_TEST_COUNTS, and prints why tests failed that passed when repeated. */
export default class CountingReporter implements Reporter {
  readonly #counts: Record<keyof Counts, number> = { passed: 0, failed: 0, skipped: 0, flaky: 0 }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending') return
    const isFlaky = test.diagnostic()?.flaky === true
    this.#counts[isFlaky ? 'flaky' : state] += 1
    if (!isFlaky) return
    const reasons = errors?.map(({ message, diff }) => `${message}\n${diff ?? ''}`) ?? []
    process.stdout.write(
      `\nflaky: ${test.module.relativeModuleId} > ${test.fullName}\n${reasons.join('\n')}\n`,
    )
  }

  onTestRunEnd(): void {
    const { KUSTOS_TEST_COUNTS: path } = process.env
    if (path !== undefined) writeFileSync(path, JSON.stringify(this.#counts))
  }
}
