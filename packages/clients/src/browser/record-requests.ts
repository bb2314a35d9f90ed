import type { BrowserContext, Page } from 'playwright-core'
import type { Phase, SeenRequest } from './browser.ts'

/** Recorded length of an address and of a body. */
const maxTextLength = 2_000
const maxInitiators = 2_000
/** Of all requests of a page. */
const maxBodyBytes = 32 * 1024 * 1024

export type Recording = Awaited<ReturnType<typeof recordRequests>>

/**
 * Records the requests of a context's pages, frames and redirects included. Windows that the page opens have no initiators.
 * @param maxRequests counts requests that are not recorded, too
 * @param onLimitExceeded called when there are more, or when their bodies are too large
 */
export async function recordRequests(
  context: BrowserContext,
  page: Page,
  maxRequests: number,
  onLimitExceeded: () => void,
) {
  const kept: Omit<SeenRequest, 'initiator'>[] = []
  const initiators = new Map<string, string>()
  let phase: Phase | null = null
  let count = 0
  let bodyBytes = 0
  let last = performance.now()

  function keep(request: Omit<SeenRequest, 'initiator' | 'phase'>): void {
    count += 1
    last = performance.now()
    if (count === maxRequests + 1) onLimitExceeded()
    if (phase === null || count > maxRequests || !/^(https?|wss?):/.test(request.url)) return
    kept.push({ ...request, url: request.url.slice(0, maxTextLength), phase })
  }

  context.on('request', (request) => {
    keep({
      url: request.url(),
      method: request.method(),
      resourceType: request.resourceType(),
      body: readBody(request.postDataBuffer()),
    })
    // Bodies are in memory until the page is closed, also those that were never sent.
    const isBelow = bodyBytes <= maxBodyBytes
    bodyBytes += request.postDataBuffer()?.length ?? 0
    if (isBelow && bodyBytes > maxBodyBytes) onLimitExceeded()
  })
  page.on('websocket', (socket) =>
    keep({ url: socket.url(), method: 'GET', resourceType: 'websocket', body: null }),
  )
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ request, initiator }) => {
    const url = request.url.slice(0, maxTextLength)
    const by = findInitiator(initiator)
    if (by !== null && by !== url && !initiators.has(url) && initiators.size < maxInitiators)
      initiators.set(url, by)
  })

  return {
    /** Of the page, with its network enabled. */
    session,
    /** Sets the phase of further requests; with null they are not recorded. */
    enter(next: Phase | null): void {
      phase = next
      // A choice causes requests only after a moment.
      last = performance.now()
    },
    /** Counts the requests of a phase that did not take effect, and all further ones, as those of another phase. */
    revert(from: Phase, to: Phase): void {
      if (phase === from) phase = to
      for (const [index, request] of kept.entries())
        if (request.phase === from) kept[index] = { ...request, phase: to }
    },
    /** Since the last request or the start of the phase. */
    idleMs: () => performance.now() - last,
    requests: (): SeenRequest[] =>
      kept.map((request) => ({ ...request, initiator: initiators.get(request.url) ?? null })),
  }
}

function readBody(body: Buffer | null): string | null {
  return body === null ? null : body.subarray(0, maxTextLength).toString('utf8').toWellFormed()
}

interface Stack {
  readonly callFrames: readonly { readonly url: string }[]
  readonly parent?: Stack
}

/** Returns the innermost script with an address, otherwise the initiating page. */
function findInitiator({ url, stack }: { readonly url?: string; readonly stack?: Stack }): string | null {
  for (let level: Stack | undefined = stack; level !== undefined; level = level.parent) {
    const frame = level.callFrames.find((one) => /^https?:/.test(one.url))
    if (frame !== undefined) return frame.url.slice(0, maxTextLength)
  }
  return url !== undefined && /^https?:/.test(url) ? url.slice(0, maxTextLength) : null
}
