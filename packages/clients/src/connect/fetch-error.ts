/** Why a host gave no response. The message is a sentence for staff without its full stop. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  /** Of Node or OpenSSL, if a connection failed. */
  readonly code: string | null

  constructor(reason: string, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(reason, { cause })
    this.code = code
  }
}

/** Stages of a probe, with what did not happen in time. */
export const stages = {
  name: 'its name servers did not answer',
  connection: 'no connection',
  handshake: 'no TLS handshake',
  header: 'no answer',
  body: 'the answer did not end',
} as const

export type Stage = keyof typeof stages

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'its address cannot be reached',
  ENETUNREACH: 'its address cannot be reached',
  EADDRNOTAVAIL: 'its address cannot be reached',
  EAFNOSUPPORT: 'its address cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  EMFILE: 'Kustos has too many files open',
  ENFILE: 'Kustos has too many files open',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate's authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's authority is unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the certificate's authority is unknown, or a certificate between is missing",
  INVALID_CA: "the certificate's authority may not sign it",
  INVALID_PURPOSE: 'the certificate is not one for servers',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers there does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what answers there does not speak TLS',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the server does not know its name',
}

export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** @param thrown what a connection failed with in that stage */
export function toFetchError(thrown: unknown, stage: Stage): FetchError {
  if (thrown instanceof FetchError) return thrown
  const error = toError(thrown)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return new FetchError(reasonOf(code, error, stage), { code, cause: error })
}

function reasonOf(code: string | null, { message }: Error, stage: Stage): string {
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return stage === 'handshake'
      ? 'the connection was closed during the TLS handshake'
      : 'the connection was reset before the answer was whole'
  }
  if (code !== null && code in reasons) return reasons[code] ?? message
  // OpenSSL's message is between colons: error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:…
  const words = /^[\dA-F]+:error:[^:]*:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message
  const short = words.split('\n')[0]?.slice(0, 200) ?? ''
  return stage === 'handshake' ? `the TLS handshake failed: ${short}` : short
}
