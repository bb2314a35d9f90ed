import type { TLSSocket } from 'node:tls'

export interface Certificate {
  /** The issuer's organisation, otherwise its common name. */
  readonly authority: string
  readonly from: Date
  readonly expiration: Date
  /** SHA-256, in pairs of hexadecimal digits. */
  readonly fingerprint: string
}

/** Reads the certificate of a full handshake. */
export function readCertificate(socket: TLSSocket): Certificate {
  const { issuer, valid_from, valid_to, fingerprint256 } = socket.getPeerCertificate()
  // Node gives several values of one kind as an array.
  const [authority = 'unknown'] = [issuer.O ?? issuer.CN].flat()
  return {
    authority,
    from: new Date(valid_from),
    expiration: new Date(valid_to),
    fingerprint: fingerprint256,
  }
}
