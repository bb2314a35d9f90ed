import type { BrowserContext, Page } from 'playwright-core'
import { FetchError, type FetchFailure } from '../connect/fetch-error.ts'

/** Limits of each page of a visit, but of connections for all of them. */
export const maximum = {
  requests: 2_000,
  connections: 2_500,
  dialogs: 20,
  windows: 20,
}

/** After which a context or a browser that does not close counts as hanging. */
export const closeTimeoutMs = 3_000

/** @returns `end`, which ends the visit with a reason, and the signal that is aborted then */
export function createVisitLimit(signal: AbortSignal) {
  const own = new AbortController()
  return {
    end: (reason: FetchFailure) => own.abort(new FetchError(reason)),
    bounds: AbortSignal.any([signal, own.signal]),
  }
}

/** Dismisses dialogs and windows, leaves pages that ask to stay, and ends the visit of a page that opens them endlessly. */
export function guard(context: BrowserContext, page: Page, end: (reason: FetchFailure) => void): void {
  let dialogs = 0
  let windows = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    if (dialogs > maximum.dialogs) return end({ code: 'visit_dialogs_endless' })
    // Dismissing the question of a page that is being left would mean to stay.
    const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    // The page may have closed by now.
    answered.catch(() => undefined)
  })
  context.on('page', (other) => {
    if (other === page) return
    windows += 1
    if (windows > maximum.windows) end({ code: 'visit_windows_endless' })
    other.close().catch(() => undefined)
  })
  page.on('crash', () => end({ code: 'visit_crashed' }))
}

/** Returns why a visit failed: a failure with a code, or Playwright's own words. */
export function toVisitFailure(thrown: unknown): FetchFailure {
  if (thrown instanceof FetchError) return thrown.failure
  const line = readFirstLine(thrown)
  return /Execution context was destroyed|Cannot find context|frame was detached/i.test(line)
    ? { code: 'visit_leaves_endless' }
    : { code: 'connection_failed', params: { detail: line } }
}

/** Whether a script has failed because the page or its document is gone, not because the page's own functions throw. */
export const isPageGone = (page: Page, error: unknown): boolean =>
  page.isClosed() || toVisitFailure(error).code === 'visit_leaves_endless'

/** For scripts that fail: null if functions of the page throw. @throws the error if the page or its document is gone */
export const nullUnlessGone =
  (page: Page) =>
  (error: unknown): null => {
    if (isPageGone(page, error)) throw error
    return null
  }

/** Returns the first line of Playwright's error without the name of the call. */
export function readFirstLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const line = message.split('\n')[0]?.replace(/^\w+\.\w+: /, '') ?? ''
  return line.slice(0, 200).replace(/[\s.]+$/, '')
}
