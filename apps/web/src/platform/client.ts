import { authRoutes, csrfCookie, csrfHeader, unattendedHeader } from '@kustos/contract/auth'
import { type CallInput, type Route, type RouteAnswer, urlOf } from '@kustos/contract/route'
import { ApiError, answerIn, errorOf, offline, unreachable } from './api-error.ts'
import { isUserActive } from './user-activity.ts'

/** A `CallInput` without the route's types. */
interface LooseInput {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
}

let unauthorizedListener: (() => void) | undefined
/** Sets what is called when the server no longer knows the session. */
export function onUnauthorized(listener: () => void) {
  unauthorizedListener = listener
}

/** Responses by URL with their ETag, so that an unchanged list of 22 MB is not parsed again. */
const lastAnswers = new Map<string, { etag: string; answer: unknown }>()
export const clearAnswerCache = () => lastAnswers.clear()

export interface Exchange<R extends Route> {
  readonly answer: RouteAnswer<R>
  readonly headers: Headers
}

/**
 * Calls a route of the contract. The response is not validated, because the server made it from the same schema.
 * @throws {ApiError} for every response but success, and without a response
 */
export async function call<R extends Route>(
  route: R,
  input: CallInput<R>,
  signal?: AbortSignal,
): Promise<RouteAnswer<R>> {
  return (await exchange(route, input, signal)).answer
}

/**
 * Calls a route and returns its headers, too.
 * @throws {ApiError} as `call` does
 */
export async function exchange<R extends Route>(
  route: R,
  input: CallInput<R>,
  signal?: AbortSignal,
): Promise<Exchange<R>> {
  // The mapped type is too deep for TypeScript to see that it is a LooseInput.
  const { params, query, body } = input as LooseInput
  const url = urlOf(route, params, query)
  let response = await send(route, url, body, signal)
  if (response.status === 419) {
    await fetchToken()
    response = await send(route, url, body, signal)
  }
  // Any status but the one in the contract is an error, even another 2xx.
  if (response.status !== route.status) {
    const error = await errorOf(response)
    if (error.status === 401 && route.access !== 'public') unauthorizedListener?.()
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
  if (!isUserActive()) headers[unattendedHeader] = '1'
  if (route.method !== 'GET') {
    if (token() === undefined) await fetchToken()
    const value = token()
    if (value !== undefined) headers[csrfHeader] = value
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return fetchOrThrow(url, {
    method: route.method,
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

async function fetchToken() {
  const { path } = authRoutes.csrfCookie
  const response = await fetchOrThrow(path, { credentials: 'same-origin', cache: 'no-store' })
  if (!response.ok) throw await errorOf(response)
}

/** Calls fetch and replaces its TypeError by an ApiError. The error of an aborted request stays. */
async function fetchOrThrow(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new ApiError(0, navigator.onLine === false ? offline : unreachable)
  }
}

function token(): string | undefined {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${csrfCookie}=`))
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(csrfCookie.length + 1))
}
