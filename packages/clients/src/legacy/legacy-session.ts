import { createHttpClient, type HttpResponse } from '../http/http-client.ts'
import { createCookieJar } from './cookies.ts'
import { LegacyError, type LegacyFailure } from './errors.ts'

interface LegacySessionOptions {
  /** Ends with a slash. */
  readonly baseUrl: URL
  /** Origin of the front end, the only one that Sanctum gives a session to. */
  readonly frontendOrigin: string
  readonly idleTimeoutMs: number
  /** Waits before the retries of a request. */
  readonly retryDelaysMs: readonly number[]
}

const maxRedirects = 5
const maxPauseMs = 15 * 60_000
const maxPausesInARow = 20

export const maxBytes = {
  token: 64 * 1024,
  login: 1024 * 1024,
  day: 4 * 1024 * 1024,
  list: 128 * 1024 * 1024,
}

/** Creates a client of the former system in one browser session; nothing is requested yet. */
export function createLegacySession(options: LegacySessionOptions) {
  const { baseUrl, frontendOrigin, idleTimeoutMs, retryDelaysMs } = options
  const http = createHttpClient({
    service: 'The former system',
    createError: (status, sentence, details) =>
      new LegacyError(status === 0 ? 'unreachable' : 'unreadable', sentence, details),
    headers: { 'x-requested-with': 'XMLHttpRequest', origin: frontendOrigin, referer: `${frontendOrigin}/` },
    connections: 4,
    idleTimeoutMs,
    // Bounds a response that sends a byte now and then.
    timeoutMs: idleTimeoutMs * 5,
    connectTimeoutMs: Math.min(idleTimeoutMs, 10_000),
    maxResponseBytes: maxBytes.login,
  })
  const cookies = createCookieJar()
  /** No request is sent before, since the former system has had too many. */
  let pausedUntil = 0

  async function send(method: 'GET' | 'POST', url: URL, maxResponseBytes: number, body?: object) {
    const token = method === 'POST' ? cookies.value('XSRF-TOKEN', url) : null
    const cookie = cookies.header(url)
    const headers = {
      ...(cookie !== '' && { cookie }),
      ...(token !== null && { 'x-xsrf-token': decodeToken(token) }),
    }
    const response = await http.request({ method, url, headers, body, maxResponseBytes })
    cookies.store([response.headers['set-cookie'] ?? []].flat(), url)
    return response
  }

  /** Waits as the server asks, follows redirects, and retries transient failures. */
  async function get(path: string, maxResponseBytes: number): Promise<HttpResponse> {
    let url = new URL(path, baseUrl)
    for (let failures = 0, redirects = 0, pauses = 0; ; ) {
      if (pausedUntil > Date.now()) await http.wait(pausedUntil - Date.now())
      try {
        const response = await send('GET', url, maxResponseBytes)
        if (response.status === 429)
          pausedUntil = Math.max(pausedUntil, Date.now() + pauseMsOf(response, ++pauses))
        else if (isRedirect(response)) url = redirectTarget(url, response, ++redirects)
        else if (isSuccess(response)) return response
        else throw explainRefusal(response, url)
      } catch (error) {
        const delayMs = retryDelaysMs[failures++]
        if (!(error instanceof LegacyError) || !isTransient(error) || delayMs === undefined) throw error
        await http.wait(delayMs)
      }
    }
  }

  function redirectTarget(from: URL, { headers }: HttpResponse, redirects: number): URL {
    const location = String(headers.location ?? '')
    const path = from.pathname.slice(baseUrl.pathname.length)
    if (redirects > maxRedirects || !URL.canParse(location, from.href))
      throw new LegacyError('unreadable', `The former system points nowhere with /${path}.`)
    const target = new URL(location, from)
    // The session is sent to one origin only, whatever a response points to.
    if (target.origin !== baseUrl.origin) {
      throw new LegacyError(
        'unreadable',
        `The former system points to ${target.origin}, which is another place and not followed. Give that URL if it is the right one.`,
      )
    }
    return target
  }

  return {
    /** @throws {LegacyError} */
    get,
    /** @throws {LegacyError} */
    async getJson(path: string, maxResponseBytes: number): Promise<unknown> {
      const { body } = await get(path, maxResponseBytes)
      try {
        return JSON.parse(body)
      } catch (cause) {
        const what = /^\s*</.test(body) ? 'an HTML page' : 'invalid JSON'
        throw new LegacyError('unreadable', `The former system returned ${what} for /${path}.`, { cause })
      }
    },
    /**
     * Sends the CSRF token as Sanctum's clients do; an expired one is fetched again once.
     * @throws {LegacyError}
     */
    async post(path: string, body?: object): Promise<void> {
      const url = new URL(path, baseUrl)
      for (let attempt = 0; ; attempt++) {
        if (attempt > 0 || cookies.value('XSRF-TOKEN', url) === null)
          await get('sanctum/csrf-cookie', maxBytes.token)
        const response = await send('POST', url, maxBytes.login, body)
        if (response.status === 419 && attempt === 0) continue
        // A redirect within the same origin means success.
        if (response.status === 302 || response.status === 303) redirectTarget(url, response, 1)
        else if (!isSuccess(response)) throw explainRefusal(response, url)
        return
      }
    },
    close: http.close,
  }
}

const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300
const isRedirect = ({ status }: HttpResponse) => status >= 300 && status < 400
const isTransient = ({ failure }: LegacyError) => failure === 'unreachable' || failure === 'broken'

const failureOfStatus: Readonly<Record<number, LegacyFailure>> = {
  400: 'invalid',
  401: 'refused',
  403: 'refused',
  404: 'missing',
  405: 'missing',
  410: 'missing',
  422: 'invalid',
  429: 'busy',
}

/** Explains a response without success. */
function explainRefusal({ status, retryAfterMs }: HttpResponse, { pathname }: URL): LegacyError {
  const failure = failureOfStatus[status] ?? (status >= 500 ? 'broken' : 'unreadable')
  const retry = retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`
  const problems: Readonly<Partial<Record<LegacyFailure, string>>> = {
    refused: `does not let this login use ${pathname} (${status})`,
    missing: `has no ${pathname} (${status})`,
    invalid: `does not take the question ${pathname} (${status})`,
    busy: `has had too many requests for ${pathname}. Try again ${retry}`,
    broken: `reported a server error at ${pathname} (${status})`,
  }
  const unexpected =
    status === 419
      ? `does not accept the token of its own session at ${pathname} (419)`
      : `responded with ${status} to ${pathname}`
  return new LegacyError(failure, `The former system ${problems[failure] ?? unexpected}.`)
}

function pauseMsOf({ retryAfterMs }: HttpResponse, pauses: number): number {
  const pauseMs = retryAfterMs ?? 5_000
  if (pauseMs > maxPauseMs || pauses > maxPausesInARow) {
    throw new LegacyError(
      'busy',
      `The former system has had too many requests and wants ${Math.ceil(pauseMs / 1000)} s of rest. Try again later.`,
    )
  }
  return Math.max(pauseMs, 100)
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    // Some systems do not encode it.
    return token
  }
}
