import { reasonIn } from './answers.ts'
import { BitbucketError, SlugTaken } from './bitbucket.ts'

/** What undici and Node call the ways in which an exchange fails. */
const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its address',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** These come before a byte of the request has left: it had no effect. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export const hadNoEffect = (error: BitbucketError): boolean =>
  error.status === 429 || (error.status === 0 && beforeSending.has(codeOf(rootOf(error.cause))))

/** Of several addresses of one name, the first one's failure tells enough. */
const rootOf = (cause: unknown): unknown =>
  cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause

/** An exchange that brought no answer. @param timeout in milliseconds, that was given to it */
export function unanswered(cause: unknown, timeout: number): BitbucketError {
  const code = codeOf(rootOf(cause))
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new BitbucketError(200, 'Bitbucket answered more than Kustos is willing to read.', { cause })
  }
  const timedOut =
    (cause instanceof Error && cause.name === 'TimeoutError') || /_(HEADERS|BODY)_TIMEOUT$/.test(code)
  if (timedOut) {
    return new BitbucketError(0, `Bitbucket did not answer within ${Math.ceil(timeout / 1000)} s.`, { cause })
  }
  const reason = failures[code] ?? (code || (cause instanceof Error ? cause.message : String(cause)))
  return new BitbucketError(0, `Bitbucket cannot be reached: ${reason}.`, { cause })
}

export interface Refusal {
  readonly status: number
  readonly body: string
  /** In milliseconds, where Bitbucket said when to come again. */
  readonly retryAfter: number | null
  readonly workspace: string
}

/** An answer that is not the one asked for; 404 is for those who asked to make sense of. */
export function refused({ status, body, retryAfter, workspace }: Refusal): BitbucketError {
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
    const when = retryAfter === null ? 'in a few minutes' : `in ${duration(retryAfter)}`
    return error(`Bitbucket has had too many requests in this hour. Try again ${when}.`)
  }
  if (status >= 500) return error(`Bitbucket is out of order (${status}${said}). Try again later.`)
  if (status >= 300 && status < 400) {
    return error('Bitbucket points to another address, which Kustos does not follow. Check BITBUCKET_URL.')
  }
  if (status === 400 && isSlugTaken(body)) {
    return new SlugTaken(status, 'Bitbucket already has a repository of this name.')
  }
  return error(`Bitbucket refuses this (${status}${said}).`)
}

/** Bitbucket has no code for it; its message is the one that many public clients compare with. */
const isSlugTaken = (body: string): boolean =>
  /Repository with this Slug and Owner already exists/i.test(body)

const duration = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
}
