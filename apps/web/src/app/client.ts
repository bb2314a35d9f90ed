import { authRoutes, csrfCookie, csrfHeader, unattendedHeader } from '@kustos/contract/auth'
import { type Route, type RouteAnswer, type RouteInput, urlOf } from '@kustos/contract/route'
import { ApiError, answerIn, errorOf, unreachable } from './api-error.ts'
import { isAttended } from './attendance.ts'

/** Path parameters may be given as numbers. */
type Params<P> = { [K in keyof P]: P[K] | number }
type Sent<R extends Route> = Omit<RouteInput<R>, 'params'> & { params: Params<RouteInput<R>['params']> }
type Nothing = Record<never, never>

/** What a call of this route takes: `params`, `query` and `body`, each only where the route has it. */
export type CallInput<R extends Route> = {
  [K in keyof Sent<R> as Sent<R>[K] extends undefined
    ? never
    : Nothing extends Sent<R>[K]
      ? never
      : K]: Sent<R>[K]
} & {
  [K in keyof Sent<R> as Sent<R>[K] extends undefined
    ? never
    : Nothing extends Sent<R>[K]
      ? K
      : never]?: Sent<R>[K]
}

/** The same without the route's types, as the request is made from it. */
interface LooseInput {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
}

let onSignedOut: (() => void) | undefined
/** Whom to tell that the server knows the session no more. */
export function whenSignedOut(listener: () => void) {
  onSignedOut = listener
}

/** Answers by URL with the revision they came from: an unchanged list of 22 MB is not parsed again. */
const lastAnswers = new Map<string, { etag: string; answer: unknown }>()
/** The next user starts with nothing of the last one's. */
export const forgetAnswers = () => lastAnswers.clear()

/** An answer with what stands in its headers beside it. */
export interface Exchange<R extends Route> {
  readonly answer: RouteAnswer<R>
  readonly headers: Headers
}

/**
 * Calls a route of the contract. Answers are not checked against its schema: the server made them from it.
 * @throws {ApiError} for every answer but success, and where none came
 */
export async function call<R extends Route>(
  route: R,
  input: CallInput<R>,
  signal?: AbortSignal,
): Promise<RouteAnswer<R>> {
  return (await exchange(route, input, signal)).answer
}

/**
 * The same for routes whose headers say something of their own.
 * @throws {ApiError} as `call` does
 */
export async function exchange<R extends Route>(
  route: R,
  input: CallInput<R>,
  signal?: AbortSignal,
): Promise<Exchange<R>> {
  // The mapped type is too deep for the checker to see that it is one of these.
  const { params, query, body } = input as LooseInput
  const url = urlOf(route, params, query)
  let response = await send(route, url, body, signal)
  if (response.status === 419) {
    await fetchToken()
    response = await send(route, url, body, signal)
  }
  // Only the one answer that the contract names is success.
  if (response.status !== route.status) {
    const error = await errorOf(response)
    if (error.status === 401 && route.access !== 'public') onSignedOut?.()
    throw error
  }
  const answer = (await answerOf(route, url, response, signal)) as RouteAnswer<R>
  return { answer, headers: response.headers }
}

async function answerOf(
  route: Route,
  url: string,
  response: Response,
  signal?: AbortSignal,
): Promise<unknown> {
  if (typeof route.answer === 'string') return undefined
  const etag = response.headers.get('etag')
  if (route.method !== 'GET' || etag === null) return answerIn(response, signal)
  const last = lastAnswers.get(url)
  if (last?.etag === etag) {
    await response.body?.cancel()
    return last.answer
  }
  const answer = await answerIn(response, signal)
  lastAnswers.set(url, { etag, answer })
  return answer
}

async function send(route: Route, url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (!isAttended()) headers[unattendedHeader] = '1'
  if (route.method !== 'GET') {
    if (token() === undefined) await fetchToken()
    const value = token()
    if (value !== undefined) headers[csrfHeader] = value
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return reach(url, {
    method: route.method,
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

async function fetchToken() {
  const { path } = authRoutes.csrfCookie
  const response = await reach(path, { credentials: 'same-origin', cache: 'no-store' })
  if (!response.ok) throw await errorOf(response)
}

/** fetch, with its bare TypeError turned into a sentence; an aborted request stays one. */
async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new ApiError(0, { message: unreachable })
  }
}

function token(): string | undefined {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${csrfCookie}=`))
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(csrfCookie.length + 1))
}
