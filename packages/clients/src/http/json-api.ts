import type { z } from 'zod'
import type { Message } from '../message.ts'
import {
  createHttpClient,
  type FailureOptions,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
  type ServiceFailure,
} from './http-client.ts'

/** A service could not be reached, or it rejected the request. The message is a sentence for staff that names it. */
export class ServiceError extends Error {
  /** The response's HTTP status; 0 if none came. */
  readonly status: number

  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.status = status
  }
}

/** A service's error that users see; without a code they see its sentence. */
export class CodedServiceError<Failure> extends ServiceError {
  readonly codedMessage: Failure | ServiceFailure | Message<'service_failed', 'reason'>

  constructor(
    status: number,
    sentence: string,
    { codedMessage, ...options }: ErrorOptions & { readonly codedMessage?: Failure | ServiceFailure } = {},
  ) {
    super(status, sentence, options)
    this.codedMessage = codedMessage ?? { code: 'service_failed', params: { reason: sentence } }
  }
}

export interface JsonApiOptions extends Omit<HttpClientOptions, 'createError'> {
  readonly Failure: new (status: number, sentence: string, options?: FailureOptions) => ServiceError
  /** Explains a response that is neither a success nor 404. */
  readonly refuse: (response: HttpResponse) => ServiceError
  /** For a request with its retries and their waits; unlimited by default. */
  readonly totalTimeoutMs?: number
  /** How long to wait after a transient failure; null to give up. */
  readonly retryDelayMs?: (attempt: number, retryAfterMs: number | null) => number | null
  readonly now?: () => number
  readonly sleep?: ((delayMs: number, signal?: AbortSignal) => Promise<void>) | undefined
}

export interface JsonRequest extends Omit<HttpRequest, 'timeoutMs' | 'maxResponseBytes'> {
  /** Instead of `totalTimeoutMs`: when to give up, on the clock of `now`. */
  readonly deadlineMs?: number | undefined
  readonly canRetry?: (error: ServiceError) => boolean
}

interface PagesOptions {
  readonly maxPages: number
  /** The setting that the address comes from. */
  readonly urlSetting: string
  readonly signal?: AbortSignal | undefined
}

export type JsonApi = ReturnType<typeof createJsonApi>

/** A shorter attempt would only hide why the one before it failed. */
const minAttemptMs = 2_000

const isTransient = ({ status }: ServiceError) => status === 0 || status === 429 || status >= 500

/**
 * Creates a client of one service's JSON API. undici's retry handler continues a broken response by a range request. These
 * APIs do not support ranges, so a broken request is retried from the start.
 */
export function createJsonApi(options: JsonApiOptions) {
  const { service, serviceName = service, timeoutMs, Failure } = options
  const { totalTimeoutMs = Number.POSITIVE_INFINITY, retryDelayMs = () => null, now = Date.now } = options
  const http = createHttpClient({
    ...options,
    createError: (status, sentence, details) => new Failure(status, sentence, details),
  })
  const sleep = options.sleep ?? http.wait

  /** Returns the response's JSON, or undefined for 404. */
  async function requestJson(request: JsonRequest): Promise<unknown> {
    const { deadlineMs = now() + totalTimeoutMs, canRetry = () => true, ...once } = request
    for (let attempt = 0; ; attempt++) {
      let retryAfterMs: number | null = null
      let failure: ServiceError
      try {
        const limitMs = Math.max(1, Math.ceil(Math.min(timeoutMs, deadlineMs - now())))
        const response = await http.request({ ...once, timeoutMs: limitMs })
        if (response.status === 404) return undefined
        if (response.status >= 200 && response.status < 300) return parseJson(response)
        retryAfterMs = response.retryAfterMs
        failure = options.refuse(response)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        failure = error
      }
      const delayMs = isTransient(failure) && canRetry(failure) ? retryDelayMs(attempt, retryAfterMs) : null
      if (delayMs === null || now() + delayMs + Math.min(timeoutMs, minAttemptMs) > deadlineMs) throw failure
      await sleep(delayMs, request.signal)
      request.signal?.throwIfAborted()
    }
  }

  function parseJson({ status, body }: HttpResponse): unknown {
    try {
      return JSON.parse(body)
    } catch (cause) {
      const codedMessage = { code: 'service_answer_not_json', params: { service: serviceName } } as const
      throw new Failure(status, `${service} returned invalid JSON.`, { cause, codedMessage })
    }
  }

  /**
   * Returns the parsed response, or undefined for 404.
   * @throws `Failure`, the signal's reason if it is aborted, another Error if the client is closed
   */
  async function request<T>(schema: z.ZodType<T>, options: JsonRequest): Promise<T | undefined> {
    const json = await requestJson(options)
    if (json === undefined) return undefined
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const where = `${issue?.path.join('.') || 'response'}: ${issue?.message}`
    throw new Failure(200, `${service} returned an unexpected response (${where}).`, {
      codedMessage: { code: 'service_answer_unreadable', params: { service: serviceName, where } },
    })
  }

  return {
    request,
    /**
     * Yields the pages of a list; undefined if the first one is not there. Links to the next page may be relative, but
     * not lead to another origin, which would get the credentials.
     */
    async *pages<Page extends { readonly next?: string | null | undefined }>(
      schema: z.ZodType<Page>,
      first: URL,
      { maxPages, urlSetting, signal }: PagesOptions,
    ): AsyncGenerator<Page | undefined> {
      for (let url = first, count = 1; ; count++) {
        const page = await request(schema, { url, signal })
        yield page
        if (!page?.next) return
        if (count === maxPages) {
          const params = { service: serviceName, max: maxPages }
          const codedMessage = { code: 'service_too_many_pages', params } as const
          throw new Failure(200, `${service} returned more than ${maxPages} pages.`, { codedMessage })
        }
        const next = URL.parse(page.next, url.href)
        if (next === null) {
          const codedMessage = {
            code: 'service_next_page_unreadable',
            params: { service: serviceName },
          } as const
          throw new Failure(200, `${service}'s next page has no address.`, { codedMessage })
        }
        if (next.origin !== first.origin) {
          const params = { service: serviceName, setting: urlSetting }
          const sentence = `${service} points to another host for the next page, which Kustos does not follow. Check ${urlSetting}.`
          throw new Failure(200, sentence, { codedMessage: { code: 'service_next_page_elsewhere', params } })
        }
        url = next
      }
    },
    close: http.close,
  }
}

/** Returns null for text that is not JSON or does not fit the schema. */
export function parseJsonAs<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // For example a page of a gateway.
    return null
  }
}

/** Makes a service's own words one line without its full stop, of bounded length. */
export function shortenReason(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  // Long runs of dots would take quadratic time in a long text.
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.replace(/[.!]+$/, '')
}

/** A base address that relative paths resolve below. */
export const parseBaseUrl = (url: string): URL => new URL(`${url.replace(/\/+$/, '')}/`)
