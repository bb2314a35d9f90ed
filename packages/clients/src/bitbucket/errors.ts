import { readErrorCode } from '../http/error-code.ts'
import type { HttpResponse } from '../http/http-client.ts'
import { parseJsonAs, shortenReason } from '../http/json-api.ts'
import { bitbucketError, SlugTakenError } from './bitbucket.ts'
import { failure } from './schemas.ts'

/** These occur before any byte of the request was sent. */
const codesBeforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** True if Bitbucket cannot have processed the request. */
export const isSafeToRetry = ({ status, cause }: Error & { readonly status: number }): boolean =>
  status === 429 || (status === 0 && codesBeforeSending.has(readErrorCode(cause)))

interface RefusalOptions {
  readonly workspace: string
  readonly mask: (text: string) => string
}

/** Explains a response that is neither a success nor 404. */
export function explainRefusal(response: HttpResponse, options: RefusalOptions) {
  const { status, body } = response
  // Bitbucket has no code for it.
  if (status === 400 && /Repository with this Slug and Owner already exists/i.test(body)) {
    const codedMessage = { code: 'bitbucket_name_taken' } as const
    return new SlugTakenError(status, codedMessage.code, { codedMessage })
  }
  return bitbucketError(status, describeRefusal(response, options))
}

function describeRefusal(
  { status, body, retryAfterMs }: HttpResponse,
  { workspace, mask }: RefusalOptions,
): Parameters<typeof bitbucketError>[1] {
  const reason = shortenReason(mask(reasonIn(body).slice(0, 1_000)))
  const detail = reason === '' ? '' : `: ${reason}`
  if (status === 401) return { code: 'bitbucket_token_refused' }
  if (status === 403) return { code: 'bitbucket_forbidden', params: { detail } }
  if (status === 410) return { code: 'bitbucket_workspace_blocked', params: { workspace, detail } }
  if (status === 429) return { code: 'bitbucket_rate_limited', params: { when: describeDelay(retryAfterMs) } }
  if (status >= 500) return { code: 'bitbucket_out_of_order', params: { status, detail } }
  if (status >= 300 && status < 400) return { code: 'bitbucket_moved' }
  return { code: 'bitbucket_refused', params: { status, detail } }
}

/** Bitbucket's reason from its error envelope or a gateway's plain text, otherwise an empty string. */
const reasonIn = (body: string): string =>
  parseJsonAs(failure, body)?.error.message ?? (/^\s*[<{[]/.test(body) ? '' : body)

function describeDelay(delayMs: number | null) {
  if (delayMs === null) return { code: 'retry_in_a_few_minutes' }
  const seconds = Math.ceil(delayMs / 1000)
  return seconds < 120
    ? { code: 'retry_in_seconds', params: { seconds } }
    : { code: 'retry_in_minutes', params: { minutes: Math.ceil(seconds / 60) } }
}
