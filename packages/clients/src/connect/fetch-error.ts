import { findByCode } from '../http/error-code.ts'
import type { Message } from '../message.ts'

type PlainCode =
  | (typeof failureCodes)[keyof typeof failureCodes]
  | (typeof nameFailureCodes)[keyof typeof nameFailureCodes]
  | 'address_private'
  | 'address_missing'
  | 'ipv6_missing'
  | 'connect_to_wrong'
  | 'name_not_found'
  | 'no_connection'
  | 'connection_reset'
  | 'tls_refused'
  | 'handshake_closed'
  | 'response_missing'
  | 'response_header_incomplete'
  | 'response_incomplete'
  | 'response_not_http'
  | 'response_chunks_malformed'
  | 'response_length_unusable'
  | 'redirect_unusable'

/** Why a page could not be read, or not be visited in a browser. */
type PageFailure =
  | { readonly code: 'encoded_too_often' | 'browser_ended' | 'browser_busy' }
  | {
      readonly code: `visit_${
        | 'timed_out'
        | 'not_opened'
        | 'not_loaded'
        | 'redirects_endless'
        | 'leaves_endless'
        | 'download'
        | 'crashed'
        | 'scripts_endless'
        | 'dialogs_endless'
        | 'windows_endless'
        | 'banner_missing'
        | 'not_reopened'
        | 'not_withdrawn'
        | 'storage_unread'}`
    }
  | Message<'answer_timed_out', 'seconds'>
  | Message<'too_many_redirects' | 'visit_too_many_requests' | 'visit_stored_too_much', 'max'>
  | Message<'not_a_page_address', 'url'>
  | Message<'port_refused', 'port'>
  | Message<'encoding_unknown', 'encoding'>
  | Message<'browser_not_started', 'reason'>
  | Message<'visit_answered', 'status'>
  | Message<'visit_too_large', 'megabytes'>

export type FetchFailure =
  | { readonly code: PlainCode }
  | PageFailure
  | Message<(typeof timeoutCodes)[Stage], 'seconds'>
  | Message<'connection_failed' | 'handshake_failed' | 'name_lookup_failed', 'detail'>
  | Message<'response_header_too_many_lines', 'max'>
  | Message<'response_header_too_large', 'kibibytes'>
  | Message<'redirect_elsewhere', 'host'>
  | Message<'plesk_certificate_other', 'fingerprint'>

export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly failure: FetchFailure
  /** The error code of Node or OpenSSL, if a connection failed. */
  readonly code: string | null

  constructor(failure: FetchFailure, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(JSON.stringify(failure), { cause })
    this.failure = failure
    this.code = code
  }
}

/** Message codes of timeouts, by the stage of a probe. */
export const timeoutCodes = {
  name: 'no_address_in_time',
  connection: 'no_connection_in_time',
  handshake: 'no_handshake_in_time',
  header: 'no_response_in_time',
  body: 'no_whole_response_in_time',
} as const

export type Stage = keyof typeof timeoutCodes

/** Message codes of c-ares' errors (https://nodejs.org/api/dns.html#error-codes). */
export const nameFailureCodes = {
  EBADNAME: 'host_name_wrong',
  ETIMEOUT: 'name_server_silent',
  ECONNREFUSED: 'name_server_unreachable',
  ESERVFAIL: 'name_server_failed',
  EREFUSED: 'name_server_refused',
  ECANCELLED: 'stopped',
} as const

const failureCodes = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'address_unreachable',
  ENETUNREACH: 'address_unreachable',
  EADDRNOTAVAIL: 'address_unreachable',
  EAFNOSUPPORT: 'address_unreachable',
  ETIMEDOUT: 'connection_timed_out',
  EMFILE: 'too_many_open_files',
  ENFILE: 'too_many_open_files',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  CERT_REVOKED: 'certificate_revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_wrong_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_authority_unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_authority_unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_authority_unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_chain_incomplete',
  INVALID_CA: 'certificate_authority_invalid',
  INVALID_PURPOSE: 'certificate_wrong_purpose',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls_missing',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls_missing',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'tls_name_unknown',
  // Undici throws it for a status below 100.
  ERR_ASSERTION: 'response_not_http',
} as const

export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** @param thrown what a connection failed with in that stage */
export function toFetchError(thrown: unknown, stage: Stage): FetchError {
  if (thrown instanceof FetchError) return thrown
  const error = toError(thrown)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return new FetchError(failureOf(code, error, stage), { code, cause: error })
}

function failureOf(code: string | null, { message }: Error, stage: Stage): FetchFailure {
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return { code: stage === 'handshake' ? 'handshake_closed' : 'connection_reset' }
  const known = findByCode(failureCodes, code ?? '')
  if (known) return { code: known }
  // OpenSSL's message is between colons: error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:…
  const words = /^[\dA-F]+:error:[^:]*:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message
  const detail = words.split('\n')[0]?.slice(0, 200) ?? ''
  return { code: stage === 'handshake' ? 'handshake_failed' : 'connection_failed', params: { detail } }
}
