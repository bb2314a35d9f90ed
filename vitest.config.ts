import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Files run as Node itself loads them, as they do in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 20_000,
    hookTimeout: 60_000,
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
          // Pure rules leave nothing behind, so files may share a process.
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
          // Each file has a database of its own; importing Fastify anew for each would cost most of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'sandbox',
          include: ['apps/sandbox/test/**/*.test.ts'],
          exclude: ['apps/sandbox/test/faults/**'],
          // Each starts and kills whole systems, and waits for them: two at a time, with time to do so.
          maxWorkers: 2,
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
