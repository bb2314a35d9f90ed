import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser as Process } from 'playwright-core'
import { abortable } from '../connect/abortable.ts'
import { closeTimeoutMs } from './visit-limits.ts'

const loadTimeoutMs = 20_000
/** No name of a host, so that nothing but the document itself can be at it. */
const address = 'https://document.invalid/'

/**
 * Prints an HTML document as PDF (A4), in a context of its own without scripts and without a network.
 * @param onStuck called if the context does not close, so that the process hangs
 * @throws Playwright's error; the signal's reason
 */
export async function printPage(
  process: Process,
  html: string,
  signal: AbortSignal,
  onStuck: () => void,
): Promise<Buffer> {
  const opening = process.newContext({
    javaScriptEnabled: false,
    offline: true,
    acceptDownloads: false,
    serviceWorkers: 'block',
  })
  try {
    const context = await abortable(opening, signal)
    const page = await abortable(context.newPage(), signal)
    // Playwright's `setContent` waits for a message of the console, which never comes from a browser behind the relay.
    await context.route('**', (route) =>
      route.request().url() === address
        ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html })
        : route.abort(),
    )
    await abortable(page.goto(address, { waitUntil: 'load', timeout: loadTimeoutMs }), signal)
    const printing = page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true })
    return await abortable(printing, signal)
  } finally {
    // An ended process has closed it.
    const closed = opening
      .then((context) => context.close())
      .then(
        () => true,
        () => true,
      )
    if (!(await Promise.race([closed, sleep(closeTimeoutMs, false, { ref: false })]))) onStuck()
  }
}
