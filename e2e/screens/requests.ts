import type { Page } from '@playwright/test'

/** Gathers the answers from 400 on that a page gets from now on; requests without any answer every walk hears of. */
export function watchRequests(page: Page): { readonly failed: () => readonly string[] } {
  const failed: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) failed.push(`${answer.status()} ${new URL(answer.url()).pathname}`)
  })
  return { failed: () => [...new Set(failed)].toSorted() }
}
