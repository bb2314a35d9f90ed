import { Agent, type Dispatcher } from 'undici'
import { FetchError, toFetchError } from '../connect/fetch-error.ts'
import { createGuardedConnector } from '../connect/guarded-connector.ts'
import { decodeText } from './decode-text.ts'
import type { Fetched, FetchOptions, FetchOutcome, PageFetcher, PageFetcherSettings } from './page-fetcher.ts'
import { acceptedEncodings, readBody } from './read-body.ts'

/** After decompression. */
const maxBodyBytes = 2 * 1024 * 1024
const maxRedirects = 5

/** Those of a browser, since servers may send robots another page. */
const browserHeaders = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'de,it;q=0.8,en;q=0.6',
  'accept-encoding': acceptedEncodings,
}

/** @throws if an allowed network or a name server's address is invalid */
export function openPageFetcher(settings: PageFetcherSettings = {}): PageFetcher {
  const connector = createGuardedConnector(settings)
  return {
    visit() {
      const agent = new Agent({
        connect: connector.connect,
        allowH2: false,
        connections: 6,
        maxHeaderSize: 64 * 1024,
        // The deadline limits the whole fetch.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      return {
        get: (url, options) => get(agent, url, options),
        end: () => agent.destroy(),
      }
    },
    close: connector.close,
  }
}

async function get(agent: Agent, url: string, options: FetchOptions = {}): Promise<FetchOutcome> {
  const { deadline = 10_000, signal, headers = {} } = options
  const stop = new AbortController()
  const stopEarly = () => stop.abort(new FetchError({ code: 'stopped' }))
  const timer = setTimeout(
    () => stop.abort(new FetchError({ code: 'answer_timed_out', params: { seconds: deadline / 1000 } })),
    deadline,
  )
  signal?.addEventListener('abort', stopEarly)
  if (signal?.aborted) stopEarly()
  try {
    return await follow(agent, url, headers, stop.signal)
  } catch (error) {
    const thrown = stop.signal.aborted ? stop.signal.reason : error
    const { failure, code } = toFetchError(thrown, 'header')
    return { outcome: 'unseen', reason: failure, refused: code === 'ECONNREFUSED' }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stopEarly)
  }
}

async function follow(
  agent: Agent,
  first: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Fetched> {
  const cookies = new Set<string>()
  let url = httpUrl(first)
  for (let hops = 0; ; hops++) {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { ...browserHeaders, ...headers },
      signal,
    })
    // An unhandled error of the stream would end the process.
    answer.body.on('error', () => undefined)
    for (const cookie of cookieNames(answer)) cookies.add(cookie)
    const next = redirectOf(answer, url)
    if (next === null) return { ...(await read(answer, signal)), url: url.href, cookies: [...cookies] }
    answer.body.destroy()
    if (hops === maxRedirects)
      throw new FetchError({ code: 'too_many_redirects', params: { max: maxRedirects } })
    url = next
  }
}

async function read(answer: Dispatcher.ResponseData, signal: AbortSignal) {
  const contentType = headerOf(answer, 'content-type')
  const { bytes, cut } = await readBody(answer.body, headerOf(answer, 'content-encoding'), maxBodyBytes)
  signal.throwIfAborted()
  return {
    outcome: 'fetched' as const,
    status: answer.statusCode,
    contentType: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    text: decodeText(bytes, contentType),
    cut,
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function redirectOf(answer: Dispatcher.ResponseData, from: URL): URL | null {
  const location = headerOf(answer, 'location')
  return redirectStatuses.has(answer.statusCode) && location !== '' ? httpUrl(location, from) : null
}

/** @throws {FetchError} if it is no HTTP address */
function httpUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new FetchError({ code: 'not_a_page_address', params: { url: address.slice(0, 200) } })
  return url
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  return [headers[name]].flat()[0] ?? ''
}

const cookieNames = ({ headers }: Dispatcher.ResponseData): string[] =>
  [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(/[=;]/)[0]?.trim() ?? '')
