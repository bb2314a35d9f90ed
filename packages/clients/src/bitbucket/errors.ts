import { errorCodeOf } from '../http/error-code.ts'
import type { HttpResponse } from '../http/http-client.ts'
import { parseJsonAs, shortenReason } from '../http/json-api.ts'
import { BitbucketError, SlugTaken } from './bitbucket.ts'
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
  status === 429 || (status === 0 && codesBeforeSending.has(errorCodeOf(cause)))

/** Explains a response that is neither a success nor 404. */
export function explainRefusal({ status, body, retryAfterMs }: HttpResponse, workspace: string) {
  const reason = reasonIn(body)
  const said = reason === '' ? '' : `: ${reason}`
  const error = (sentence: string) => new BitbucketError(status, sentence)
  if (status === 401) {
    return error(
      'Bitbucket does not accept the token: it has expired or was revoked. Put a new one into BITBUCKET_TOKEN.',
    )
  }
  if (status === 403) return error(`Bitbucket does not allow this with the token in BITBUCKET_TOKEN${said}.`)
  if (status === 410) return error(`Bitbucket has blocked the workspace ${workspace}${said}.`)
  if (status === 429) {
    const when = retryAfterMs === null ? 'in a few minutes' : `in ${formatDuration(retryAfterMs)}`
    return error(`Bitbucket rate-limited this token; try again ${when}.`)
  }
  if (status >= 500) return error(`Bitbucket reported a server error (${status}${said}). Try again later.`)
  if (status >= 300 && status < 400) {
    return error('Bitbucket points to another address, which Kustos does not follow. Check BITBUCKET_URL.')
  }
  // Bitbucket has no code for it.
  if (status === 400 && /Repository with this Slug and Owner already exists/i.test(body)) {
    return new SlugTaken(status, 'Bitbucket already has a repository of this name.')
  }
  return error(`Bitbucket refuses this (${status}${said}).`)
}

/** Bitbucket's reason from its error envelope or a gateway's plain text, otherwise an empty string. */
const reasonIn = (body: string): string =>
  shortenReason(parseJsonAs(failure, body)?.error.message ?? (/^\s*[<{[]/.test(body) ? '' : body))

const formatDuration = (durationMs: number): string => {
  const seconds = Math.ceil(durationMs / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
}
