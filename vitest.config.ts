import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Node loads the files itself, as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Generous, because a busy machine must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/contract/test/**/*.test.ts',
            'packages/domain/test/unit/**/*.test.ts',
            'apps/web/{src,test}/**/*.test.{ts,tsx}',
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
          exclude: ['packages/domain/test/unit/**'],
          globalSetup: 'packages/database/testing/global-setup.ts',
          // A test that passes when it is repeated is printed as flaky: a busy machine must not make a run red.
          retry: 1,
          // Each file has its own database, so files can share a process; importing Fastify for each would take most of the
          // time.
          isolate: false,
          maxWorkers: Math.max(2, availableParallelism()),
        },
      },
      {
        extends: true,
        test: {
          name: 'sandbox',
          include: ['apps/sandbox/test/**/*.test.ts'],
          exclude: ['apps/sandbox/test/faults/**'],
          // Each file starts and kills whole systems, which takes memory and time.
          maxWorkers: 2,
          retry: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['apps/sandbox/test/faults/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
