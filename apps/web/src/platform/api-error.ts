import type { ErrorBody } from '@kustos/contract/errors'
import type { Message, MessageParams } from '@kustos/contract/messages'
import { isRecord, isStringArray, parseJson } from './storage.ts'

/** English texts of errors that did not come from the API, by code. */
export const clientMessages = {
  offline: 'You are offline. Check your connection and try again.',
  unreachable: 'The server can’t be reached.',
  /** The server no longer has the code of this build. */
  new_version: 'A new version of Kustos is available. Reload the page.',
  /** From a proxy, for example. */
  unexpected_response: 'The server responded with {{status}}.',
} as const

/** A server of another release may send no code. */
type ReadableBody = Omit<ErrorBody, 'code'> & Partial<Pick<ErrorBody, 'code'>>

/** A failed call. Its `message` is English; screens show `errorText`. */
export class ApiError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number
  readonly code: string
  readonly params: MessageParams | undefined
  /** For conflicts and failed actions. */
  readonly error: string | undefined
  /** Messages about the input by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly errorCodes: Readonly<Record<string, readonly Message[]>>
  readonly requestId: string | undefined
  /** Until the next attempt is allowed; only with 429. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: ReadableBody, retryAfterSeconds?: number) {
    super(body.message)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code ?? 'unknown'
    this.params = body.params
    this.error = body.error
    this.errors = body.errors ?? {}
    this.errorCodes = body.error_codes ?? {}
    this.requestId = body.requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An error without a response. */
export const clientError = (code: 'offline' | 'unreachable' | 'new_version') =>
  new ApiError(0, { code, message: clientMessages[code] })

/**
 * Reads the JSON body of a successful response.
 * @throws {ApiError} if it breaks off, or is a proxy's page instead
 */
export async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw clientError('unreachable')
  }
}

/** Reads a response that is not a success. */
export async function readError(response: Response): Promise<ApiError> {
  // The status suffices if the body breaks off.
  const text = await response.text().catch(() => '')
  const parsed = parseJson(text)
  const { status, headers } = response
  const message = clientMessages.unexpected_response.replace('{{status}}', String(status))
  const body = isErrorBody(parsed) ? parsed : { code: 'unexpected_response', params: { status }, message }
  const retryAfterSeconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return new ApiError(status, body, Number.isNaN(retryAfterSeconds) ? undefined : retryAfterSeconds)
}

const isOptionalText = (value: unknown) => value === undefined || typeof value === 'string'

/** A proxy may send JSON of its own. Not checked by the schema, because zod is not in the initial bundle. */
const isErrorBody = (value: unknown): value is ReadableBody =>
  isRecord(value) &&
  typeof value.message === 'string' &&
  [value.code, value.error, value.requestId].every(isOptionalText) &&
  (value.params === undefined || isRecord(value.params)) &&
  (value.errors === undefined ||
    (isRecord(value.errors) && Object.values(value.errors).every(isStringArray))) &&
  (value.error_codes === undefined ||
    (isRecord(value.error_codes) && Object.values(value.error_codes).every(Array.isArray)))
