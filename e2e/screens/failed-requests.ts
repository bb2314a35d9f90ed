import type { Page } from '@playwright/test'

/** Records responses from status 400 on and returns a function that lists them. Requests without a response fail every test. */
export function recordFailedRequests(page: Page): () => readonly string[] {
  const failed: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) failed.push(`${answer.status()} ${new URL(answer.url()).pathname}`)
  })
  return () => [...new Set(failed)].toSorted()
}
