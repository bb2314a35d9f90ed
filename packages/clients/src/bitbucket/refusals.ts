import { codeOf, unansweredBy } from '../http/unanswered.ts'
import { reasonIn } from './answers.ts'
import { BitbucketError, SlugTaken } from './bitbucket.ts'

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
  error.status === 429 || (error.status === 0 && beforeSending.has(codeOf(error.cause)))

/** An exchange that brought no answer. @param timeout in milliseconds, that was given to it */
export function unanswered(cause: unknown, timeout: number): BitbucketError {
  const { status, sentence } = unansweredBy('Bitbucket', cause, timeout)
  return new BitbucketError(status, sentence, { cause })
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
