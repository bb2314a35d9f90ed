import type { Page } from '@playwright/test'

declare global {
  interface Window {
    shifted: number
  }
  interface PerformanceEntry {
    readonly value: number
    readonly hadRecentInput: boolean
  }
}

/**
 * Measures Chromium's cumulative layout shift from the next load on, once. Values from 0.1 on are visible.
 */
export async function measureLayoutShift(page: Page): Promise<() => Promise<number>> {
  const script = await page.addInitScript(() => {
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    await script.dispose()
    return page.evaluate(() => window.shifted)
  }
}
