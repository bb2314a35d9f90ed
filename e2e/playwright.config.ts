import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { browserFlags, browserPath } from './harness/browser.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/e2e',
  globalSetup: './harness/system.ts',
  // One core is the console's.
  workers: Math.max(2, availableParallelism() - 1),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Generous: a busy machine is no failure.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Rome',
    reducedMotion: 'reduce',
    // Without its film, which costs more than the walk.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: browserPath(), args: [...browserFlags] },
  },
})
