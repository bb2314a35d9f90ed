import { type ErrorBody, errorBody } from '@kustos/contract/errors'

/** The sentence for a server that gave no answer. */
export const unreachable = 'The server cannot be reached.'
/** The sentence for an error without a body of ours, such as a proxy's. */
const withoutSentence = (status: number) => `The server answered with ${status}.`

/** An answer that was no success, or none at all. `message` is a sentence for staff. */
export class ApiError extends Error {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** A sentence staff can act on, for conflicts and failed actions. */
  readonly error: string | undefined
  /** Field to messages, where the input was wrong. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly requestId: string | undefined
  /** Seconds until another try is allowed; only with 429. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: ErrorBody, retryAfter?: number) {
    super(body.message)
    this.name = 'ApiError'
    this.status = status
    this.error = body.error
    this.errors = body.errors ?? {}
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
    throw new ApiError(0, { message: unreachable })
  }
}

/** Reads an answer that was no success. */
export async function errorOf(response: Response): Promise<ApiError> {
  // Its status says enough where the rest breaks off.
  const text = await response.text().catch(() => '')
  const body = errorBody.safeParse(parsed(text))
  const wait = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return new ApiError(
    response.status,
    body.success ? body.data : { message: withoutSentence(response.status) },
    Number.isNaN(wait) ? undefined : wait,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
