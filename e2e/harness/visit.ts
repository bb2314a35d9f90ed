import type { Page } from '@playwright/test'

/**
 * Goes to another screen as a link within the console does, which takes a sixth of the processor time of a load. Loads the page if
 * the console is not loaded yet, or if the path belongs to the screen that is shown.
 */
export async function visit(page: Page, path: string): Promise<void> {
  if (!(await pushPath(page, path))) await page.goto(path)
  // The screen before stays until the code of the next one is there.
  else await page.waitForFunction(() => document.querySelector('[data-left]') === null)
}

/** @returns whether the console is loaded and the path is not the one that is shown */
const pushPath = (page: Page, path: string): Promise<boolean> =>
  page.evaluate((target) => {
    const main = document.querySelector('#main')
    const screen = main?.querySelector(':scope > :has(+ footer)')
    // Without this, every test would load its page anew, and nothing would say why they take longer.
    if (main && !screen) throw new Error('The part of the page that contains the screen is not found')
    const shown = screen?.firstElementChild
    if (!shown || new URL(target, location.href).pathname === location.pathname) return false
    shown.setAttribute('data-left', '')
    history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', target)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    return true
  }, path)

/**
 * Forgets the data that the console has loaded, as when its user changes in another tab and back. Parts that stay on the screen do
 * not load theirs again.
 */
export const forgetData = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const key = 'kustos.session'
    const session = localStorage.getItem(key) ?? ''
    for (const stored of ['', session]) {
      localStorage.setItem(key, stored)
      dispatchEvent(new StorageEvent('storage', { key }))
    }
  })

/**
 * Leaves the screen for one that needs no data, closes notifications and removes what the console keeps in the browser.
 * @returns whether nothing else is left of the test, such as a dialog or another language
 */
export async function leaveScreen(page: Page): Promise<boolean> {
  if (page.isClosed() || !(await pushPath(page, '/no/such/path'))) return false
  // A form with unsaved input asks first.
  const left = await page.waitForFunction(() => {
    const isAsked = document.querySelector('[role=dialog]') !== null
    return isAsked || document.querySelector('[data-left]') === null ? { isAsked } : null
  })
  if ((await left.jsonValue())?.isAsked !== false) return false
  return page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    for (const button of document.querySelectorAll<HTMLElement>('.mantine-Notification-closeButton'))
      button.click()
    return document.documentElement.lang === 'en'
  })
}
