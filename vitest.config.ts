import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The worker's tests wait most of the time: started first, they wait beside the others instead of after them. The others are
 * short for the time that they take, and shorter files are started later.
 */
const startedFirst =
  /\/apps\/worker\/|\/(attention-access|connection-budget|database-startup|fencing|many-webs|permissions|verify-log|view-notifications-access)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isFirst = ({ moduleId }: TestSpecification) => startedFirst.test(moduleId)
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}

export default defineConfig({
  test: {
    // Node loads the files itself, as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Generous, because a busy machine must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/contract/test/**/*.test.ts',
            'packages/domain/test/unit/**/*.test.ts',
            'apps/web/{src,test}/**/*.test.{ts,tsx}',
            '.ci/*.test.ts',
          ],
          // Pure functions leave no state behind, so files can share a process.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [
            'apps/api/test/**/*.test.ts',
            'apps/worker/test/**/*.test.ts',
            'packages/clients/test/**/*.test.ts',
            'packages/database/test/**/*.test.ts',
            'packages/domain/test/**/*.test.ts',
          ],
          exclude: [
            'packages/{clients,domain}/test/faults/**',
            'packages/domain/test/audited-pages/**',
            'packages/domain/test/unit/**',
            'apps/worker/test/faults/**',
          ],
          globalSetup: 'packages/database/testing/global-setup.ts',
          // Each file has its own database, so files can share a process; importing Fastify for each would take most of the
          // time.
          isolate: false,
          // Tests wait for other processes part of the time.
          maxWorkers: 2 + 2 * availableParallelism(),
        },
      },
      {
        extends: true,
        test: {
          name: 'sandbox',
          include: ['apps/sandbox/test/**/*.test.ts'],
          exclude: ['apps/sandbox/test/faults/**'],
          globalSetup: 'packages/database/testing/global-setup.ts',
          // Imports are half of the time of most files.
          isolate: false,
          // Each file starts and kills whole systems, which takes memory and time.
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [
            'apps/{sandbox,worker}/test/faults/**/*.test.ts',
            'packages/{clients,domain}/test/faults/**/*.test.ts',
            'apps/api/test/security/fuzz.test.ts',
            'packages/clients/test/browser.test.ts',
            'packages/domain/test/audited-pages/**/*.test.ts',
          ],
          env: {
            KUSTOS_FUZZ_REQUESTS: process.env.KUSTOS_FUZZ_REQUESTS ?? '10000',
            KUSTOS_WHOLE_BROWSER: '1',
          },
          globalSetup: 'packages/database/testing/global-setup.ts',
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
