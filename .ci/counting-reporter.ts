import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Writes the counts of a run, the files that failed, and how long each took to the file KUSTOS_TEST_COUNTS. */
export default class CountingReporter implements Reporter {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result()
    if (state !== 'pending') this.#counts[state] += 1
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { KUSTOS_TEST_COUNTS: path } = process.env
    if (path === undefined) return
    const failedFiles = modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId)
    const seconds = modules.map((module) => {
      const { duration, setupDuration, collectDuration } = module.diagnostic()
      return [module.relativeModuleId, (duration + setupDuration + collectDuration) / 1000]
    })
    writeFileSync(
      path,
      JSON.stringify({ ...this.#counts, failedFiles, seconds: Object.fromEntries(seconds) }),
    )
  }
}
