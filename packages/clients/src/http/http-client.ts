import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type buildConnector, type Dispatcher } from 'undici'
import type { Message } from '../message.ts'
import { decodeCredential } from './decode-credential.ts'
import { readErrorCode } from './error-code.ts'
import { parseRetryAfterMs } from './retry-after.ts'

export type ServiceFailure =
  | Message<'service_unreachable', 'service' | 'reason'>
  | Message<'service_timed_out', 'service' | 'seconds'>
  | Message<'service_answer_too_large' | 'service_answer_not_json', 'service'>
  | Message<'service_answer_unreadable', 'service' | 'where'>
  | Message<'service_too_many_pages', 'service' | 'max'>
  | Message<'service_next_page_unreadable', 'service'>
  | Message<'service_next_page_elsewhere', 'service' | 'setting'>

export interface FailureOptions extends ErrorOptions {
  readonly codedMessage?: ServiceFailure
}

export interface HttpClientOptions {
  /** Begins the sentences of errors, such as "The registrar". */
  readonly service: string
  /** The service's name within messages; `service` by default. */
  readonly serviceName?: ServiceFailure['params']['service']
  /** @param status 200 if a response came that is too large, 0 if none came */
  readonly createError: (status: 0 | 200, sentence: string, options: FailureOptions) => Error
  readonly headers?: Readonly<Record<string, string>>
  readonly connections: number
  /** Time for a whole response. */
  readonly timeoutMs: number
  /** Longest time without a byte. */
  readonly idleTimeoutMs?: number
  readonly connectTimeoutMs?: number
  readonly maxResponseBytes: number
  /** Whether the status of a response counts even if its body is too large or breaks off. */
  readonly toleratesBrokenBody?: boolean
  readonly connect?: buildConnector.connector
  /** Why no response came, as words after "cannot be reached: " or as a message. */
  readonly describeFailure?: (cause: unknown) => Reason
}

type Reason = Extract<ServiceFailure, { code: 'service_unreachable' }>['params']['reason']

export interface HttpRequest {
  readonly url: URL
  /** POST if there is a body, otherwise GET. */
  readonly method?: 'GET' | 'POST'
  /** Sent as JSON. */
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
  readonly maxResponseBytes?: number
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly body: string
  /** Null if there is no usable Retry-After header. */
  readonly retryAfterMs: number | null
}

export type HttpClient = ReturnType<typeof createHttpClient>

/** Creates a client that sends single requests without following redirects; nothing is connected yet. */
export function createHttpClient(options: HttpClientOptions) {
  const { service, timeoutMs, idleTimeoutMs = timeoutMs, connect, describeFailure = describe } = options
  const { serviceName = service } = options
  const agent = new Agent({
    connections: options.connections,
    // With HTTP/2, one lost connection would fail every request on it.
    allowH2: false,
    ...(connect && { connect }),
    connectTimeout: options.connectTimeoutMs ?? Math.min(timeoutMs, 5_000),
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  })
  const read = options.toleratesBrokenBody ? readBeginning : readText
  const closed = new AbortController()
  const abortedBy = (signal: AbortSignal | undefined) =>
    signal ? AbortSignal.any([signal, closed.signal]) : closed.signal

  function createError(cause: unknown, limitMs: number): Error {
    const fail = (status: 0 | 200, words: string, codedMessage: ServiceFailure) =>
      options.createError(status, `${service} ${words}.`, { cause, codedMessage })
    const about = { service: serviceName }
    if (cause instanceof ResponseTooLarge)
      return fail(200, 'sent a response that is too large', {
        code: 'service_answer_too_large',
        params: about,
      })
    const isIdle = /_(HEADERS|BODY)_TIMEOUT$/.test(readErrorCode(cause))
    if (isIdle || (cause instanceof Error && cause.name === 'TimeoutError')) {
      const seconds = Math.ceil((isIdle ? Math.min(idleTimeoutMs, limitMs) : limitMs) / 1000)
      const params = { ...about, seconds }
      return fail(0, `did not respond within ${seconds} s`, { code: 'service_timed_out', params })
    }
    const reason = describeFailure(cause)
    const words = typeof reason === 'object' ? reason.code : reason
    const params = { ...about, reason }
    return fail(0, `cannot be reached: ${words}`, { code: 'service_unreachable', params })
  }

  return {
    /** @throws what `createError` returns, the signal's reason if it is aborted, another Error if the client is closed */
    async request(request: HttpRequest): Promise<HttpResponse> {
      const { url, body, timeoutMs: limitMs = timeoutMs } = request
      const signal = abortedBy(request.signal)
      signal.throwIfAborted()
      try {
        const response = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method ?? (body ? 'POST' : 'GET'),
          headers: {
            accept: 'application/json',
            'user-agent': 'Kustos',
            ...(body && { 'content-type': 'application/json; charset=utf-8' }),
            ...authorizationOf(url),
            ...options.headers,
            ...request.headers,
          },
          body: body ? JSON.stringify(body) : null,
          signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
        })
        return {
          status: response.statusCode,
          headers: response.headers,
          body: await read(response.body, request.maxResponseBytes ?? options.maxResponseBytes),
          retryAfterMs: parseRetryAfterMs(response.headers['retry-after']),
        }
      } catch (cause) {
        signal.throwIfAborted()
        throw createError(cause, limitMs)
      }
    },
    /** Waits between two requests, with the same errors as a request. */
    async wait(delayMs: number, requestSignal?: AbortSignal): Promise<void> {
      const signal = abortedBy(requestSignal)
      await sleep(delayMs, undefined, { signal }).catch((reason: unknown) => {
        signal.throwIfAborted()
        throw reason
      })
    },
    async close(): Promise<void> {
      closed.abort(new Error(`The HTTP client was closed (${service})`))
      await agent.destroy()
    },
  }
}

/** The user and the password of a URL (RFC 7617), which undici would leave out. */
function authorizationOf({ username, password }: URL): { readonly authorization?: string } {
  if (username === '' && password === '') return {}
  const credentials = [username, password].map(decodeCredential).join(':')
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

class ResponseTooLarge extends Error {}

async function readText(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new ResponseTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** @returns what has come of a body until it ends, breaks off or becomes too large */
async function readBeginning(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.length
      chunks.push(chunk)
      if (sizeBytes > maxBytes) break
    }
  } catch {
    // The status has come, which is all that is needed.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

const descriptions: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its address',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

function describe(cause: unknown): string {
  const code = readErrorCode(cause)
  return descriptions[code] ?? (code || (cause instanceof Error ? cause.message : String(cause)))
}
