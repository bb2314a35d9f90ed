import { Agent, type Dispatcher } from 'undici'
import { FetchError, type FetchFailure, toFetchError } from '../connect/fetch-error.ts'
import { createGuardedConnector } from '../connect/guarded-connector.ts'
import type { ConnectSettings } from '../connect/host-connector.ts'
import { assertWebPort } from '../connect/web-port.ts'
import { decodeLocation, decodeText } from './decode-text.ts'
import { acceptedEncodings, readBody } from './read-body.ts'

/** Fetches pages and their parts as a browser would, without running them. */
export interface PageFetcher {
  /** Starts a visit, whose requests share connections until it ends. */
  visit(): Visit
  close(): void
}

export interface Visit {
  /**
   * Follows redirects and never rejects.
   * @param url http or https
   */
  get(url: string, options?: FetchOptions): Promise<FetchOutcome>
  end(): Promise<void>
}

export interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Redirects included; 10 s by default. */
  readonly deadlineMs?: number
  /** Ends it early with the code `stopped`. */
  readonly signal?: AbortSignal
}

export type FetchOutcome = Fetched | FetchFailed

export interface Fetched {
  readonly outcome: 'fetched'
  /** After redirects. */
  readonly url: string
  readonly status: number
  /** Without parameters, in lower case; empty if there is none. */
  readonly contentType: string
  readonly text: string
  /** Whether the body was larger than the limit. */
  readonly cut: boolean
  /** Names of the cookies that were set, also by redirects. */
  readonly cookies: readonly string[]
}

export interface FetchFailed {
  readonly outcome: 'failed'
  readonly reason: FetchFailure
  /** Whether the connection was refused. */
  readonly refused: boolean
}

export interface PageFetcherSettings extends ConnectSettings {
  /** Certificate authorities in PEM that are trusted besides Node's own. */
  readonly authorities?: readonly string[]
}

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
  const { deadlineMs = 10_000, signal, headers = {} } = options
  const timeout = AbortSignal.timeout(deadlineMs)
  const bounds = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  try {
    return await follow(agent, url, headers, bounds)
  } catch (error) {
    if (signal?.aborted) return { outcome: 'failed', reason: { code: 'stopped' }, refused: false }
    if (timeout.aborted) {
      const reason = { code: 'answer_timed_out', params: { seconds: deadlineMs / 1000 } } as const
      return { outcome: 'failed', reason, refused: false }
    }
    const { failure, code } = toFetchError(error, 'header')
    return { outcome: 'failed', reason: failure, refused: code === 'ECONNREFUSED' }
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
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { ...browserHeaders, ...headers },
      signal,
    })
    // An unhandled error of the stream would end the process.
    response.body.on('error', () => undefined)
    for (const cookie of cookieNames(response)) cookies.add(cookie)
    const next = redirectOf(response, url)
    if (next === null) return { ...(await read(response, signal)), url: url.href, cookies: [...cookies] }
    response.body.destroy()
    if (hops === maxRedirects)
      throw new FetchError({ code: 'too_many_redirects', params: { max: maxRedirects } })
    url = next
  }
}

async function read(response: Dispatcher.ResponseData, signal: AbortSignal) {
  const contentType = headerOf(response, 'content-type')
  const { bytes, cut } = await readBody(response.body, headerOf(response, 'content-encoding'), maxBodyBytes)
  signal.throwIfAborted()
  return {
    outcome: 'fetched' as const,
    status: response.statusCode,
    contentType: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    text: decodeText(bytes, contentType),
    cut,
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function redirectOf(response: Dispatcher.ResponseData, from: URL): URL | null {
  const location = headerOf(response, 'location')
  return redirectStatuses.has(response.statusCode) && location !== ''
    ? httpUrl(decodeLocation(location), from)
    : null
}

/** @throws {FetchError} if it is no HTTP address, or has a port that websites do not have */
function httpUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new FetchError({ code: 'not_a_page_address', params: { url: address.slice(0, 200) } })
  if (url.port !== '') assertWebPort(Number(url.port))
  return url
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  return [headers[name]].flat()[0] ?? ''
}

const cookieNames = ({ headers }: Dispatcher.ResponseData): string[] =>
  [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(/[=;]/)[0]?.trim() ?? '')
