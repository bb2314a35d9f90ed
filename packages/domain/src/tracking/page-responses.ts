import type { Fetched, FetchOutcome } from '@kustos/clients/page'
import { message } from '@kustos/contract/messages'

/** The content types that browsers show as a page; empty if the server names none. */
export const pageTypes: ReadonlySet<string> = new Set(['', 'text/html', 'application/xhtml+xml'])

/**
 * What only bot checks contain that firewalls send with a status of success: those of Cloudflare, SiteGround, Imperva, Sucuri,
 * AWS, Imunify360 and Anubis.
 */
const botCheck =
  /_cf_chl_opt|\/\.well-known\/sgcaptcha\/|_Incapsula_Resource\?[CS]WUDNSAI|sucuri_cloudproxy_js|gokuProps|wsidchk|"anubis_challenge"/

/** Characters. Larger pages are not searched. */
const maxBotCheckLength = 128 * 1024

/** Whether a firewall has sent a bot check instead of what was requested. */
export const isBotCheck = ({ contentType, text }: Fetched): boolean =>
  pageTypes.has(contentType) && text.length <= maxBotCheckLength && botCheck.test(text)

/** Returns null if it was read, or does not exist, which is a property of the page. */
export function whyUnread(answer: FetchOutcome | null) {
  if (answer === null) return message('no_time_left')
  if (answer.outcome === 'failed') return answer.reason
  const { status } = answer
  const isRefused = status >= 500 || status === 403 || status === 429
  if (isRefused) return message('server_answered', { status })
  return isBotCheck(answer) ? message('bot_check') : null
}

export const shorten = (url: string) => (url.length > 200 ? `${url.slice(0, 200)}…` : url)
