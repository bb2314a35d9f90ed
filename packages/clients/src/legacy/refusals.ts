import { retryAfterOf } from '../http/retry-after.ts'
import { LegacyError, type LegacyFailure } from './legacy.ts'

interface Refused {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What an answer without success says, in a sentence. */
export function refused({ status, headers }: Refused, { pathname }: URL): LegacyError {
  const [failure, sentence] = meaning(status, pathname, retryAfterOf(headers['retry-after']))
  return new LegacyError(failure, sentence)
}

/** @param retryAfter in milliseconds; null where the answer says nothing of it */
function meaning(status: number, path: string, retryAfter: number | null): readonly [LegacyFailure, string] {
  switch (status) {
    case 401:
    case 403:
      return ['refused', `The former system does not let this login use ${path} (${status}).`]
    case 404:
    case 405:
    case 410:
      return ['missing', `The former system has no ${path} (${status}).`]
    case 400:
    case 422:
      return ['invalid', `The former system does not take the question ${path} (${status}).`]
    case 419:
      return [
        'unreadable',
        `The former system does not accept the token of its own session at ${path} (419).`,
      ]
    case 429: {
      const when = retryAfter === null ? 'later' : `in ${Math.ceil(retryAfter / 1000)} s`
      return ['busy', `The former system has had too many requests for ${path}. Try again ${when}.`]
    }
    default:
      return status >= 500
        ? ['broken', `The former system is out of order at ${path} (${status}).`]
        : ['unreadable', `The former system answered ${status} to ${path}.`]
  }
}
