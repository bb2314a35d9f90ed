import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'

/** Whoever asks for metrics. */
export interface Reader {
  /** The other end of the connection itself, whatever a header says of others behind it. */
  readonly peer: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Any of these says that a proxy stands between. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Whether metrics are shown: to programs of this machine, and to those who know the token. What comes through a proxy
 * needs the token whatever address it is said to come from, so that no header opens the way.
 * @param token null where none is configured
 */
export function mayRead(
  { peer, headers }: Reader,
  token: string | null,
): { readonly ok: true } | { readonly ok: false; readonly takesToken: boolean; readonly sentence: string } {
  if (isLoopback(peer) && forwarding.every((name) => headers[name] === undefined)) return { ok: true }
  if (token === null)
    return {
      ok: false,
      takesToken: false,
      sentence: 'Metrics are for this machine alone: METRICS_TOKEN is not set.',
    }
  const { authorization } = headers
  const sent = typeof authorization === 'string' ? /^Bearer +(\S+)$/i.exec(authorization)?.[1] : undefined
  if (sent !== undefined && equals(sent, token)) return { ok: true }
  return {
    ok: false,
    takesToken: true,
    sentence: 'Metrics take the token of METRICS_TOKEN, as a Bearer token.',
  }
}

const isLoopback = (address: string | undefined): boolean => {
  const family = isIP(address ?? '')
  return family !== 0 && address !== undefined && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** In the same time whatever differs, the length included. */
const equals = (sent: string, token: string): boolean => timingSafeEqual(digest(sent), digest(token))
const digest = (text: string) => createHash('sha256').update(text).digest()
