import type { BrowserContext, Page } from 'playwright-core'
import { FetchError } from '../connect/fetch-error.ts'

/** Limits of a visit. */
export const maximum = {
  requests: 2_000,
  bytes: 60_000_000,
  connections: 1_000,
  dialogs: 20,
  windows: 20,
}

/** @returns `end`, which ends the visit with a reason, and the signal that is aborted then */
export function createVisitLimit(signal: AbortSignal): {
  end(reason: string): void
  readonly bounds: AbortSignal
} {
  const own = new AbortController()
  return {
    end: (reason) => own.abort(new FetchError(reason)),
    bounds: AbortSignal.any([signal, own.signal]),
  }
}

/** Dismisses dialogs and windows, and ends the visit of a page that opens them endlessly. */
export function guard(context: BrowserContext, page: Page, end: (reason: string) => void): void {
  let dialogs = 0
  let windows = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    if (dialogs > maximum.dialogs) return end('it asks its visitors without end')
    // The page may have closed meanwhile.
    dialog.dismiss().catch(() => undefined)
  })
  context.on('page', (other) => {
    if (other === page) return
    windows += 1
    if (windows > maximum.windows) end('it opens window after window')
    other.close().catch(() => undefined)
  })
  page.on('crash', () => end('it crashed'))
}

/** Returns the first line of Playwright's error without the name of the call. */
export function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (thrown instanceof FetchError) return message
  if (/Execution context was destroyed|Cannot find context|frame was detached/i.test(message))
    return 'it goes on to other pages without end'
  const line = message.split('\n')[0]?.replace(/^\w+\.\w+: /, '') ?? ''
  return line.slice(0, 200).replace(/[\s.]+$/, '')
}
