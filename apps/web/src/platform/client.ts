import { authRoutes, csrfCookie, csrfHeader, unattendedHeader } from '@kustos/contract/auth'
import { type CallInput, type Route, type RouteResponse, tableType, urlOf } from '@kustos/contract/route'
import { clientError, readError, readJson } from './api-error.ts'
import { readTable, type Table } from './table.ts'
import { isUserActive } from './user-activity.ts'

/** A `CallInput` without the route's types. */
interface LooseInput {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
}

let unauthorizedListener: (() => void) | undefined
export function onUnauthorized(listener: () => void) {
  unauthorizedListener = listener
}

type AskForPassword = () => Promise<boolean>
let askForPassword: AskForPassword = () => Promise.resolve(false)
/** @param ask asks the user for the password. @returns whether it was confirmed */
export function onUnconfirmed(ask: AskForPassword) {
  askForPassword = ask
}

let confirmation: Promise<boolean> | undefined
export const isAskingForPassword = () => confirmation !== undefined

/** Asks once for all calls that need it. */
function confirmPassword(): Promise<boolean> {
  confirmation ??= askForPassword().finally(() => {
    confirmation = undefined
  })
  return confirmation
}

/** Responses by URL with their ETag, so that an unchanged list of 22 MB is not parsed again. */
const responseCache = new Map<string, { etag: string; body: unknown }>()
export const clearResponseCache = () => responseCache.clear()

const additions = new Set<Promise<unknown>>()
/** Holds back the writes that follow until this one has ended, since they may refer to what it adds. */
export async function holdWrites<Addition>(addition: Promise<Addition>): Promise<Addition> {
  additions.add(addition)
  try {
    return await addition
  } finally {
    additions.delete(addition)
  }
}

/**
 * Calls a route of the contract. The response is not validated, because the server made it from the same schema.
 * @throws {ApiError} if it fails
 */
export async function call<R extends Route>(route: R, input: CallInput<R>, signal?: AbortSignal) {
  return (await callWithHeaders(route, input, signal)).body
}

/** Like `call`, with the headers of the response. */
export async function callWithHeaders<R extends Route>(route: R, input: CallInput<R>, signal?: AbortSignal) {
  // The mapped type is too deep for TypeScript to see that it is a LooseInput.
  const { params, query, body: requestBody } = input as LooseInput
  const url = urlOf(route, params, query)
  if (route.method !== 'GET' && additions.size > 0) await Promise.allSettled(additions)
  let response = await send(route, url, requestBody, signal)
  if (response.status === 419) {
    await fetchToken()
    response = await send(route, url, requestBody, signal)
  }
  if (response.status === 423 && (await confirmPassword())) {
    await response.body?.cancel()
    response = await send(route, url, requestBody, signal)
  }
  // Any status but the one in the contract is an error, even another 2xx.
  if (response.status !== route.status) {
    const error = await readError(response)
    if (error.status === 401 && route.access !== 'public') unauthorizedListener?.()
    throw error
  }
  const body = (await readBody(route, url, response, signal)) as RouteResponse<R>
  return { body, headers: response.headers }
}

async function readBody(route: Route, url: string, response: Response, signal?: AbortSignal) {
  if (typeof route.response === 'string') return undefined
  const etag = response.headers.get('etag')
  if (route.method !== 'GET' || etag === null) return readJson(response, signal)
  const cached = responseCache.get(url)
  if (cached?.etag === etag) {
    await response.body?.cancel()
    return cached.body
  }
  const json = await readJson(response, signal)
  const body = response.headers.get('content-type') === tableType ? readTable(json as Table) : json
  responseCache.set(url, { etag, body })
  return body
}

async function send(route: Route, url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: `${tableType}, application/json` }
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
  if (!response.ok) throw await readError(response)
}

/** Calls fetch and replaces its TypeError by an ApiError, unless the request was aborted. */
export async function fetchOrThrow(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw clientError(navigator.onLine === false ? 'offline' : 'unreachable')
  }
}

function token(): string | undefined {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${csrfCookie}=`))
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(csrfCookie.length + 1))
}
