import { Agent, type Dispatcher } from 'undici'
import { connectionFailure, ProbeFailure } from '../probe/failure.ts'
import { acceptedEncodings, readBody } from './body.ts'
import { textOf } from './charset.ts'
import type { Asking, Fetched, PageFetcher, PageFetcherSettings, Seen } from './page-fetcher.ts'
import { openReach } from './reach.ts'

/** Bytes of a body, decoded. */
const largestBody = 2 * 1024 * 1024
const mostRedirects = 5

/** What a visitor's browser says; a page for robots may be another. */
const browser = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'de,it;q=0.8,en;q=0.6',
  'accept-encoding': acceptedEncodings,
}

/** @throws where an allowed network or a name server's address is not one */
export function openPageFetcher(settings: PageFetcherSettings = {}): PageFetcher {
  const reach = openReach(settings)
  return {
    visit() {
      const agent = new Agent({
        connect: reach.connect,
        allowH2: false,
        connections: 6,
        maxHeaderSize: 64 * 1024,
        // The deadline of the whole is what counts.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      return {
        get: (url, asking) => get(agent, url, asking),
        end: () => agent.destroy(),
      }
    },
    close: reach.close,
  }
}

async function get(agent: Agent, url: string, asking: Asking = {}): Promise<Seen> {
  const { deadline = 10_000, signal, headers = {} } = asking
  const stop = new AbortController()
  const stopped = () => stop.abort(new ProbeFailure('stopped'))
  const timer = setTimeout(
    () => stop.abort(new ProbeFailure(`no whole answer within ${deadline / 1000} s`)),
    deadline,
  )
  signal?.addEventListener('abort', stopped)
  if (signal?.aborted) stopped()
  try {
    return await follow(agent, url, headers, stop.signal)
  } catch (error) {
    const thrown = stop.signal.aborted ? stop.signal.reason : error
    const failure = connectionFailure(thrown instanceof Error ? thrown : new Error(String(thrown)), 'header')
    return { outcome: 'unseen', reason: failure.message, refused: failure.code === 'ECONNREFUSED' }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stopped)
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
      headers: { ...browser, ...headers },
      signal,
    })
    // Its end is waited for below or nowhere; a stream that fails unheard would end the process.
    answer.body.on('error', () => undefined)
    for (const cookie of cookieNames(answer)) cookies.add(cookie)
    const next = redirectOf(answer, url)
    if (next === null) return { ...(await read(answer, signal)), url: url.href, cookies: [...cookies] }
    answer.body.destroy()
    if (hops === mostRedirects) throw new ProbeFailure(`it redirects more than ${mostRedirects} times`)
    url = next
  }
}

async function read(answer: Dispatcher.ResponseData, signal: AbortSignal) {
  const contentType = headerOf(answer, 'content-type')
  const { bytes, cut } = await readBody(answer.body, headerOf(answer, 'content-encoding'), largestBody)
  signal.throwIfAborted()
  return {
    outcome: 'fetched' as const,
    status: answer.statusCode,
    contentType: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    text: textOf(bytes, contentType),
    cut,
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

function redirectOf(answer: Dispatcher.ResponseData, from: URL): URL | null {
  const location = headerOf(answer, 'location')
  return redirects.has(answer.statusCode) && location !== '' ? httpUrl(location, from) : null
}

/** @throws {ProbeFailure} where it is nothing that a page is read from */
function httpUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ProbeFailure(`${address.slice(0, 200)} is not an address of a page`)
  return url
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  return [headers[name]].flat()[0] ?? ''
}

const cookieNames = ({ headers }: Dispatcher.ResponseData): string[] =>
  [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(/[=;]/)[0]?.trim() ?? '')
