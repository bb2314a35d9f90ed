import type { Page } from '@playwright/test'

/** Records responses from status 400 on and returns a function that lists them. Requests without a response fail every test. */
export function recordFailedRequests(page: Page): () => readonly string[] {
  const failed: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  return () => [...new Set(failed)].toSorted()
}
