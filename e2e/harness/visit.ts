import type { Page } from '@playwright/test'

/**
 * Goes to another screen as a link within the console does, which takes a third of the processor time of a load. Loads the page if
 * the console is not loaded yet, or if the path belongs to the screen that is shown.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const isWithin = await page.evaluate((target) => {
    const shown = document.querySelector('#main > :first-child > *')
    if (shown === null || new URL(target, location.href).pathname === location.pathname) return false
    shown.setAttribute('data-left', '')
    history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', target)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    return true
  }, path)
  if (!isWithin) await page.goto(path)
  // The screen before stays until the code of the next one is there.
  else await page.waitForFunction(() => document.querySelector('[data-left]') === null)
}
