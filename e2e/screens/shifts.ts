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
 * Adds up how far things move that nobody has touched, from the next load on: Chromium's measure of layout shifts, of
 * which a tenth is what one sees.
 */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => window.shifted)
}
