/** Whether a name is that of the web, its counterpart with or without `www`, a site or an alias. */
export const nameKinds = ['main', 'www', 'site', 'alias'] as const
export type NameKind = (typeof nameKinds)[number]

/**
 * replaced: another certificate, issued no later than the one before, which ends earlier; missing: port 443 refuses;
 * unreachable: no handshake for another reason; elsewhere: the name points to others; unresolved: it does not resolve.
 */
export const certificateStates = [
  'valid',
  'expired',
  'not_yet_valid',
  'wrong_name',
  'untrusted',
  'replaced',
  'missing',
  'unreachable',
  'elsewhere',
  'unresolved',
] as const
export type CertificateState = (typeof certificateStates)[number]

/** Those in which visitors see a warning, or will soon. */
export const wrongStates = [
  'expired',
  'not_yet_valid',
  'wrong_name',
  'untrusted',
  'replaced',
] as const satisfies readonly CertificateState[]

/** failing: twice in a row, while IPv4 works; unconfirmed: once; unknown: no worker with IPv6 of its own has checked it. */
export const ipv6States = ['none', 'working', 'unconfirmed', 'failing', 'unknown'] as const
export type Ipv6State = (typeof ipv6States)[number]
