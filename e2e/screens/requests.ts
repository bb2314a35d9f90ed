import type { Page } from '@playwright/test'

/**
 * Gathers the requests of a page from now on that got no answer, or one from 400 on. A request that a page breaks off
 * itself is no failure.
 */
export function watchRequests(page: Page): { readonly failed: () => readonly string[] } {
  const failed: string[] = []
  const at = (url: string) => new URL(url).pathname
  page.on('response', (answer) => {
    if (answer.status() >= 400) failed.push(`${answer.status()} ${at(answer.url())}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') failed.push(`${reason} ${at(request.url())}`)
  })
  return { failed: () => [...new Set(failed)].toSorted() }
}
