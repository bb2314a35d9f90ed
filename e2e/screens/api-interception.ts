import type { Page, Route } from '@playwright/test'

/** How responses reach the page: unchanged, delayed, as failures, not at all, or with empty lists. */
type ApiMode = 'normal' | 'pending' | 'failed' | 'unreachable' | 'empty'

interface InterceptedApi {
  /** Changes the mode. Pending requests get their responses in the new mode. */
  readonly setMode: (mode: ApiMode) => void
}

/** Requests of the shell rather than of a screen. */
const shellPaths = ['/api/users/current', '/api/events']

/** Intercepts the page's GET requests to the API. */
export async function interceptApi(page: Page, first: ApiMode): Promise<InterceptedApi> {
  let mode = first
  let release = () => {}
  let released = Promise.resolve()
  function setMode(next: ApiMode) {
    mode = next
    release()
    if (next === 'pending')
      released = new Promise((resolve) => {
        release = resolve
      })
  }
  setMode(first)
  await page.route(
    (url) => url.pathname.startsWith('/api/') && !shellPaths.includes(url.pathname),
    async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      if (mode === 'pending') await released
      // The page may have been left meanwhile.
      await answerRoute(route, mode).catch((error: Error) => {
        if (!page.isClosed() && !/aborted|closed|disposed|already handled/i.test(error.message)) throw error
      })
    },
  )
  return { setMode }
}

async function answerRoute(route: Route, mode: ApiMode): Promise<void> {
  if (mode === 'failed') return route.fulfill({ status: 500, json: { message: 'Server Error' } })
  if (mode === 'unreachable') return route.abort('connectionrefused')
  if (mode !== 'empty') return route.continue()
  const response = await route.fetch()
  // As `json` it would lose its media type, by which the page tells tables from lists.
  return route.fulfill({ response, body: JSON.stringify(withEmptyLists(await response.json())) })
}

/** The same response with empty lists. */
function withEmptyLists(body: unknown): unknown {
  if (Array.isArray(body)) return []
  if (typeof body !== 'object' || body === null) return body
  if ('rows' in body && Array.isArray(body.rows)) return { ...body, rows: [] }
  return 'data' in body && Array.isArray(body.data) ? { ...body, data: [] } : body
}
