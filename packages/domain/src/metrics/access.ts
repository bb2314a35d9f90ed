import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'

export interface Reader {
  /** The address of the connection, regardless of headers. */
  readonly peer: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Headers that proxies add. */
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
 * Metrics are served to clients on this machine, and to those with the token. Requests through a proxy always need the
 * token, so no header can circumvent it.
 * @param token null if not configured
 */
export function checkMetricsAccess(
  { peer, headers }: Reader,
  token: string | null,
): { readonly ok: true } | { readonly ok: false; readonly acceptsToken: boolean; readonly message: string } {
  if (isLoopback(peer) && forwarding.every((name) => headers[name] === undefined)) return { ok: true }
  if (token === null)
    return {
      ok: false,
      acceptsToken: false,
      message: 'Metrics are for this machine alone: METRICS_TOKEN is not set.',
    }
  const { authorization } = headers
  const sent = typeof authorization === 'string' ? /^Bearer +(\S+)$/i.exec(authorization)?.[1] : undefined
  if (sent !== undefined && equals(sent, token)) return { ok: true }
  return {
    ok: false,
    acceptsToken: true,
    message: 'Metrics take the token of METRICS_TOKEN, as a Bearer token.',
  }
}

const isLoopback = (address: string | undefined): boolean => {
  const family = isIP(address ?? '')
  return family !== 0 && address !== undefined && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Takes the same time whatever differs, including the length. */
const equals = (sent: string, token: string): boolean => timingSafeEqual(digest(sent), digest(token))
const digest = (text: string) => createHash('sha256').update(text).digest()
