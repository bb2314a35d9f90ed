import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { retryAfterOf } from '../http/retry-after.ts'
import { unansweredBy } from '../http/unanswered.ts'
import { openCookies } from './cookies.ts'
import { LegacyError } from './legacy.ts'
import { refused } from './refusals.ts'

export interface ExchangeOptions {
  /** Where the former system lies; ends with a slash. */
  readonly base: URL
  /** Where staff open it: Sanctum gives a session to its own front end alone. */
  readonly frontEnd: string
  /** Milliseconds without a byte. */
  readonly timeout: number
  /** Milliseconds before each further try after a failure that time may heal; as many tries as there are waits. */
  readonly waits: readonly number[]
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/** A redirect more than that is a ring. */
const mostRedirects = 5
/** Longer than that no Retry-After is waited for, in milliseconds, nor more often in a row. */
const longestPause = 15 * 60_000
const mostPauses = 20

/** Questions to the former system, in one browser's session. */
export function openExchange({ base, frontEnd, timeout, waits }: ExchangeOptions) {
  const agent = new Agent({
    connections: 4,
    allowH2: false,
    connectTimeout: Math.min(timeout, 10_000),
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  const cookies = openCookies()
  /** Whoever asks waits until then, in milliseconds since 1970: it has had too many questions. */
  let pausedUntil = 0

  async function once(method: 'GET' | 'POST', url: URL, largest: number, body?: unknown) {
    const token = method === 'POST' ? cookies.value('XSRF-TOKEN', url) : null
    const cookie = cookies.header(url)
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: {
          accept: 'application/json',
          'user-agent': 'Kustos',
          'x-requested-with': 'XMLHttpRequest',
          origin: frontEnd,
          referer: `${frontEnd}/`,
          ...(cookie !== '' && { cookie }),
          ...(token !== null && { 'x-xsrf-token': decoded(token) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // One that keeps on sending a byte now and then has no more time than others.
        signal: AbortSignal.timeout(timeout * 5),
      })
      cookies.take([answer.headers['set-cookie'] ?? []].flat(), url)
      const { statusCode: status, headers } = answer
      return { status, headers, body: await bounded(answer.body, largest) }
    } catch (cause) {
      if (cause instanceof LegacyError) throw cause
      const { status, sentence } = unansweredBy('The former system', cause, timeout)
      throw new LegacyError(status === 0 ? 'unreachable' : 'unreadable', sentence, { cause })
    }
  }

  /** Waits as it is told to, and tries again what time may heal. */
  async function get(path: string, largest: number): Promise<Answer> {
    let pauses = 0
    let url = new URL(path, base)
    for (let failures = 0, redirects = 0; ; ) {
      await sleep(Math.max(0, pausedUntil - Date.now()))
      try {
        const answer = await once('GET', url, largest)
        if (answer.status === 429) {
          pauses++
          pausedUntil = Math.max(pausedUntil, pauseOf(answer.headers['retry-after'], pauses))
        } else if (answer.status >= 300 && answer.status < 400) {
          url = followed(url, answer.headers.location, ++redirects)
        } else {
          if (answer.status < 200 || answer.status >= 300) throw refused(answer, url)
          return answer
        }
      } catch (error) {
        const pause = waits[failures++]
        if (!(error instanceof LegacyError) || !passes(error) || pause === undefined) throw error
        await sleep(pause)
      }
    }
  }

  return {
    /** @returns what a GET gives @param largest answer, in bytes @throws LegacyError */
    get,
    /** The same as JSON. */
    async ask(path: string, largest: number): Promise<unknown> {
      const { body } = await get(path, largest)
      try {
        return JSON.parse(body)
      } catch (cause) {
        const what = /^\s*</.test(body) ? 'a page (HTML)' : 'something that is not JSON'
        throw new LegacyError('unreadable', `The former system answered ${what} to /${path}.`, { cause })
      }
    },
    /** A POST with the token as Sanctum's clients send it; a token that has expired is fetched again once. */
    async post(path: string, body?: unknown): Promise<Answer> {
      const url = new URL(path, base)
      for (let tries = 0; ; tries++) {
        if (tries > 0 || cookies.value('XSRF-TOKEN', url) === null) await get('sanctum/csrf-cookie', 65_536)
        const answer = await once('POST', url, 1_048_576, body)
        if (answer.status === 419 && tries === 0) continue
        // A redirect within the same place says that it was done; where it leads is of no interest.
        if (answer.status === 302 || answer.status === 303) followed(url, answer.headers.location, 1)
        else if (answer.status < 200 || answer.status >= 300) throw refused(answer, url)
        return answer
      }
    },
    close: () => agent.destroy(),
  }

  function followed(from: URL, location: string | string[] | undefined, redirects: number): URL {
    const target = String(location ?? '')
    if (redirects > mostRedirects || !URL.canParse(target, from.href))
      throw new LegacyError('unreadable', `The former system points nowhere with /${pathOf(from, base)}.`)
    const to = new URL(target, from)
    // The session leaves for one place alone, whatever an answer points to.
    if (to.origin !== base.origin) {
      throw new LegacyError(
        'unreadable',
        `The former system points to ${to.origin}, which is another place and not followed. Give that URL if it is the right one.`,
      )
    }
    return to
  }
}

const pathOf = (url: URL, base: URL) => url.pathname.slice(base.pathname.length)

/** A failure that time may heal. */
const passes = ({ failure }: LegacyError) => failure === 'unreachable' || failure === 'broken'

/** @returns until when to wait, in milliseconds since 1970 */
function pauseOf(header: string | string[] | undefined, pauses: number): number {
  const pause = retryAfterOf(header) ?? 5_000
  if (pause > longestPause || pauses > mostPauses) {
    throw new LegacyError(
      'busy',
      `The former system has had too many requests and wants ${Math.ceil(pause / 1000)} s of rest. Try again later.`,
    )
  }
  return Date.now() + Math.max(pause, 100)
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    // Not encoded, then.
    return token
  }
}

async function bounded(body: Dispatcher.ResponseData['body'], largest: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > largest) {
      throw new LegacyError('unreadable', 'The former system answered more than Kustos is willing to read.')
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
