import type { Page, Route } from '@playwright/test'

/** How the server's answers reach the page: as they are, not yet, as failures, or without the rows of their lists. */
type Manner = 'as-is' | 'held' | 'failed' | 'unreachable' | 'emptied'

interface Server {
  /** From now on; answers that are held meanwhile come in the new manner. */
  readonly become: (manner: Manner) => void
}

/** Neither who one is nor what is told of changes is a screen's own question. */
const notOfScreens = ['/api/users/current', '/api/events']

/** Stands between the page and what it asks the server for. */
export async function between(page: Page, first: Manner): Promise<Server> {
  let manner = first
  let release = () => {}
  let held = Promise.resolve()
  function become(next: Manner) {
    manner = next
    release()
    if (next === 'held')
      held = new Promise((resolve) => {
        release = resolve
      })
  }
  become(first)
  await page.route(
    (url) => url.pathname.startsWith('/api/') && !notOfScreens.includes(url.pathname),
    async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      if (manner === 'held') await held
      // Whoever asked may be gone by now.
      await pass(route, manner).catch((error: Error) => {
        if (!page.isClosed() && !/aborted|closed|disposed|already handled/i.test(error.message)) throw error
      })
    },
  )
  return { become }
}

async function pass(route: Route, manner: Manner): Promise<void> {
  if (manner === 'failed') return route.fulfill({ status: 500, json: { message: 'Server Error' } })
  if (manner === 'unreachable') return route.abort('connectionrefused')
  if (manner !== 'emptied') return route.continue()
  const response = await route.fetch()
  return route.fulfill({ response, json: withoutRows(await response.json()) })
}

/** The answer of a list that is empty: all else that it says stays. */
function withoutRows(answer: unknown): unknown {
  if (Array.isArray(answer)) return []
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return answer
  return Array.isArray(answer.data) ? { ...answer, data: [] } : answer
}
