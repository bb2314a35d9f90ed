import type { BrowserContext, Page } from 'playwright-core'
import { ProbeFailure } from '../probe/failure.ts'

/** What a page may take up of a visit. */
export const most = {
  requests: 2_000,
  bytes: 60_000_000,
  connections: 1_000,
  dialogs: 20,
  windows: 20,
}

/** Why something of a visit was left undone: a sentence without its full stop. */
export function limitOf(signal: AbortSignal): { end(reason: string): void; readonly bounds: AbortSignal } {
  const own = new AbortController()
  return {
    end: (reason) => own.abort(new ProbeFailure(reason)),
    bounds: AbortSignal.any([signal, own.signal]),
  }
}

/** Declines whatever a page wants of its visitor, and ends one that does not leave off. */
export function guard(context: BrowserContext, page: Page, end: (reason: string) => void): void {
  let dialogs = 0
  let windows = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    if (dialogs > most.dialogs) return end('it asks its visitors without end')
    // The page may have gone meanwhile.
    dialog.dismiss().catch(() => undefined)
  })
  context.on('page', (other) => {
    if (other === page) return
    windows += 1
    if (windows > most.windows) end('it opens window after window')
    other.close().catch(() => undefined)
  })
  page.on('crash', () => end('it crashed'))
}

/** Of what Playwright throws, what tells: its first line without the name of the call. */
export function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (thrown instanceof ProbeFailure) return message
  if (/Execution context was destroyed|Cannot find context|frame was detached/i.test(message))
    return 'it goes on to other pages without end'
  const line = message.split('\n')[0]?.replace(/^\w+\.\w+: /, '') ?? ''
  return line.slice(0, 200).replace(/[\s.]+$/, '')
}
