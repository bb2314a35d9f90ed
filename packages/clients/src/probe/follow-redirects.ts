import type { FetchFailure } from '../connect/fetch-error.ts'
import { decodeLocation, decodeText } from '../page/decode-text.ts'
import type { ProbeResponse } from './connection.ts'
import type { HttpHeader, HttpRequest } from './http-request.ts'

/** What a probe requests and looks for, instead of the front page and its status. */
export interface ProbeCheck {
  readonly method: 'GET' | 'HEAD'
  readonly path: string
  /** Sent to the host itself only, and not over HTTP once it has responded over HTTPS. */
  readonly headers: readonly HttpHeader[]
  readonly followsRedirects: boolean
  /** Where redirects may lead, with subdomains, besides the host and its www; anywhere if empty. ASCII names. */
  readonly redirectHosts: readonly string[]
  /** Looked for in the first 256 KiB of the body. */
  readonly texts: readonly string[]
  /** For the whole probe, at most the prober's own. */
  readonly timeoutMs: number
}

export interface Checked {
  readonly response: ProbeResponse
  /** What is wrong with the response besides its status. */
  readonly problem: FetchFailure | null
  /** Whether each of the check's texts was found; empty if they were not looked for. */
  readonly texts: readonly boolean[]
}

interface Address {
  readonly host: string
  readonly isSecure: boolean
}
type Request = (address: Address, request: HttpRequest) => Promise<ProbeResponse>

const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Requests what a check says, and follows redirects if it does.
 * @param first requests something of the host itself, and says over what
 * @throws {FetchError} if a request fails
 */
export async function fetchChecked(
  host: string,
  check: ProbeCheck,
  first: (request: HttpRequest) => Promise<{ readonly response: ProbeResponse; readonly isSecure: boolean }>,
  next: Request,
): Promise<Checked> {
  const { path, headers, texts } = check
  const keepsBody = texts.length > 0
  const method = keepsBody ? 'GET' : check.method
  const began = await first({ method, path, headers, keepsHead: true, keepsBody })
  let address: Address = { host, isSecure: began.isSecure }
  let request: HttpRequest = { method, path, headers, keepsHead: true, keepsBody }
  let response = await repeatRefusedHead(began.response, request, (again) => next(address, again))
  // That of other hosts is of no interest.
  const { certificate } = began.response
  const result = (problem: FetchFailure | null, found: readonly boolean[] = []): Checked => ({
    response: { ...response, certificate },
    problem,
    texts: found,
  })
  for (let hops = 0; check.followsRedirects && redirectStatuses.has(response.status); hops++) {
    const location = response.header('location')
    if (location === null) break
    if (hops === maxRedirects) return result({ code: 'too_many_redirects', params: { max: maxRedirects } })
    const url = URL.parse(
      decodeLocation(location),
      `${address.isSecure ? 'https' : 'http'}://${address.host}${request.path}`,
    )
    if (url === null || !/^https?:$/.test(url.protocol) || url.port !== '')
      return result({ code: 'redirect_unusable' })
    if (!mayLeadTo(url.hostname, host, check.redirectHosts))
      return result({ code: 'redirect_elsewhere', params: { host: url.hostname } })
    address = { host: url.hostname, isSecure: url.protocol === 'https:' }
    const isOwn = url.hostname === host && (address.isSecure || !began.isSecure)
    request = { ...request, path: url.pathname + url.search, headers: isOwn ? headers : [] }
    response = await next(address, request)
    response = await repeatRefusedHead(response, request, (again) => next(address, again))
  }
  if (!keepsBody) return result(null)
  // An empty header names no encoding.
  const encoding = response.header('content-encoding') || 'identity'
  if (encoding.toLowerCase() !== 'identity')
    return result({ code: 'encoding_unknown', params: { encoding: encoding.slice(0, 100) } })
  const body = decodeText(response.body(), response.header('content-type') ?? '')
  return result(
    null,
    texts.map((text) => body.includes(text)),
  )
}

/** Many servers answer HEAD with an error where GET has a page. */
async function repeatRefusedHead(
  response: ProbeResponse,
  request: HttpRequest,
  repeat: (request: HttpRequest) => Promise<ProbeResponse>,
): Promise<ProbeResponse> {
  return request.method === 'HEAD' && response.status >= 400
    ? await repeat({ ...request, method: 'GET' })
    : response
}

function mayLeadTo(to: string, host: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const own = host.replace(/^www\./, '')
  return to === own || to === `www.${own}` || allowed.some((one) => to === one || to.endsWith(`.${one}`))
}

/** The status and end of a response that is no check's. */
export const unchecked = (response: ProbeResponse): Checked => ({ response, problem: null, texts: [] })
