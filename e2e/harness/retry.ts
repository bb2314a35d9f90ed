import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** The alerts of the main part about requests that failed. */
export const failures = (page: Page) =>
  page.getByRole('main').getByRole('alert').filter({ hasText: 'Loading failed' })

/** Presses Retry until the check passes, because automatic retries may fail before and slow ones after. */
export async function retryUntil(within: Locator, check: () => Promise<void>): Promise<void> {
  const retry = within.getByRole('alert').getByRole('button', { name: 'Retry' }).first()
  await expect(async () => {
    if ((await retry.count()) > 0) await retry.click({ timeout: 1000 })
    await check()
  }).toPass()
}

/** Removes the browser's messages about failures that the test caused. */
export function removeExpectedErrors(browserErrors: string[]) {
  const unexpected = browserErrors.filter(
    (text) => !/the server responded with a status of 500|ERR_CONNECTION_REFUSED/.test(text),
  )
  browserErrors.splice(0, browserErrors.length, ...unexpected)
}
