import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { browserFlags, browserPath } from './harness/browser.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/e2e',
  globalSetup: './harness/global-setup.ts',
  // Tests wait for probes, deployments and retries part of the time.
  workers: Math.max(3, availableParallelism()),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Recording a trace costs a quarter of the processor time, so only the repetition of a failed test is recorded.
  // `npm test` reports a test that passes only when it is repeated.
  retries: 1,
  // When the application itself is broken, repeating every test would take an hour.
  maxFailures: 20,
  // Generous, because a busy machine must not fail a test.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Rome',
    reducedMotion: 'reduce',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    // The edge's certificate is of its own authority.
    ignoreHTTPSErrors: true,
    launchOptions: { executablePath: browserPath(), args: [...browserFlags] },
  },
})
