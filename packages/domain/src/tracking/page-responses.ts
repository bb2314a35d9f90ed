import type { FetchOutcome } from '@kustos/clients/page'
import { message } from '@kustos/contract/messages'

/** The content types that browsers show as a page; empty if the server names none. */
export const pageTypes: ReadonlySet<string> = new Set(['', 'text/html', 'application/xhtml+xml'])

/** Returns null if it was read, or does not exist, which is a property of the page. */
export function whyUnread(answer: FetchOutcome | null) {
  if (answer === null) return message('no_time_left')
  if (answer.outcome === 'failed') return answer.reason
  const { status } = answer
  const isRefused = status >= 500 || status === 403 || status === 429
  return isRefused ? message('server_answered', { status }) : null
}

export const shorten = (url: string) => (url.length > 200 ? `${url.slice(0, 200)}…` : url)
