import type { HttpResponse } from '../http/http-client.ts'
import { LegacyError, type LegacyFailure } from './legacy.ts'

/** Explains a response without success. */
export function explainRefusal({ status, retryAfterMs }: HttpResponse, { pathname }: URL): LegacyError {
  const error = (failure: LegacyFailure, sentence: string) => new LegacyError(failure, sentence)
  switch (status) {
    case 401:
    case 403:
      return error('refused', `The former system does not let this login use ${pathname} (${status}).`)
    case 404:
    case 405:
    case 410:
      return error('missing', `The former system has no ${pathname} (${status}).`)
    case 400:
    case 422:
      return error('invalid', `The former system does not take the question ${pathname} (${status}).`)
    case 419:
      return error(
        'unreadable',
        `The former system does not accept the token of its own session at ${pathname} (419).`,
      )
    case 429: {
      const when = retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`
      return error('busy', `The former system has had too many requests for ${pathname}. Try again ${when}.`)
    }
    default:
      return status >= 500
        ? error('broken', `The former system reported a server error at ${pathname} (${status}).`)
        : error('unreadable', `The former system responded with ${status} to ${pathname}.`)
  }
}
