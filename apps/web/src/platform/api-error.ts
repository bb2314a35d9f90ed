import type { ErrorBody } from '@kustos/contract/errors'
import type { Message, MessageParams } from '@kustos/contract/messages'
import { isRecord, isStringArray, parseJson } from './storage.ts'

/** For a browser without a connection. */
export const offline = {
  code: 'offline',
  message: 'You are offline. Check your connection and try again.',
} as const

/** For a server that did not respond. */
export const unreachable = { code: 'unreachable', message: 'The server cannot be reached.' } as const

/** For code of this build that the server no longer has. */
export const newVersion = {
  code: 'new_version',
  message: 'A new version of Kustos is available. Reload the page.',
} as const

/** For an error without a body of ours, such as a proxy's. */
const foreignAnswer = (status: number): ReadableBody => ({
  code: 'foreign_answer',
  params: { status },
  message: `The server responded with ${status}.`,
})

/** A server of another release may send no code. */
type ReadableBody = Omit<ErrorBody, 'code'> & Partial<Pick<ErrorBody, 'code'>>

/** A response that is not a success, or none at all. Its `message` is English; screens show `errorText`. */
export class ApiError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number
  readonly code: string
  readonly params: MessageParams | undefined
  /** A sentence staff can act on, for conflicts and failed actions. */
  readonly error: string | undefined
  /** Field to messages, where the input was wrong. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** The same messages as codes. */
  readonly errorCodes: Readonly<Record<string, readonly Message[]>>
  readonly requestId: string | undefined
  /** Seconds until another try is allowed; only with 429. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: ReadableBody, retryAfter?: number) {
    super(body.message)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code ?? 'unknown'
    this.params = body.params
    this.error = body.error
    this.errors = body.errors ?? {}
    this.errorCodes = body.error_codes ?? {}
    this.requestId = body.requestId
    this.retryAfter = retryAfter
  }
}

/**
 * Reads the JSON of a success.
 * @throws {ApiError} where it breaks off, or is a proxy's page instead
 */
export async function answerIn(response: Response, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, unreachable)
  }
}

/** Reads a response that is not a success. */
export async function errorOf(response: Response): Promise<ApiError> {
  // The status suffices if the body breaks off.
  const text = await response.text().catch(() => '')
  const body = parseJson(text)
  const wait = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return new ApiError(
    response.status,
    isErrorBody(body) ? body : foreignAnswer(response.status),
    Number.isNaN(wait) ? undefined : wait,
  )
}

const isOptionalText = (value: unknown) => value === undefined || typeof value === 'string'

/** A proxy may send JSON of its own. Not checked by the schema, because the first load is without zod. */
const isErrorBody = (value: unknown): value is ReadableBody =>
  isRecord(value) &&
  typeof value.message === 'string' &&
  isOptionalText(value.code) &&
  isOptionalText(value.error) &&
  isOptionalText(value.requestId) &&
  (value.params === undefined || isRecord(value.params)) &&
  (value.errors === undefined ||
    (isRecord(value.errors) && Object.values(value.errors).every(isStringArray))) &&
  (value.error_codes === undefined ||
    (isRecord(value.error_codes) && Object.values(value.error_codes).every(Array.isArray)))
