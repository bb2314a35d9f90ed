import { isIP } from 'node:net'
import { type Cookie, parseCookie } from 'undici'

interface KeptCookie extends Cookie {
  readonly path: string
  /** In milliseconds since 1970; infinite for a session cookie. */
  readonly endsAtMs: number
}

/** As in browsers. */
const maxCookies = 50

/** Creates a store of one host's cookies that respects path, Secure and expiry (RFC 6265). */
export function createCookieJar() {
  const kept = new Map<string, KeptCookie>()

  const sent = (to: URL, now: number) =>
    [...kept.values()]
      .filter((cookie) => cookie.endsAtMs > now && isFor(cookie, to))
      .sort((a, b) => b.path.length - a.path.length)

  return {
    /** @param from the requested address */
    store(lines: readonly string[], from: URL, now = Date.now()): void {
      for (const line of lines) {
        const cookie = parseCookie(line)
        if (cookie === null || cookie.name === '' || !maySet(cookie, from)) continue
        const path = cookie.path ?? from.pathname.slice(0, Math.max(1, from.pathname.lastIndexOf('/')))
        const key = `${cookie.name} ${path}`
        const endsAtMs = endOf(cookie, now)
        kept.delete(key)
        if (endsAtMs > now && kept.size < maxCookies) kept.set(key, { ...cookie, path, endsAtMs })
      }
    },
    /** Returns the Cookie header for a request, or an empty string. */
    header: (to: URL, now = Date.now()): string =>
      sent(to, now)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    /** Returns a cookie's value, or null if a request to the address would not carry it. */
    value: (name: string, to: URL, now = Date.now()): string | null =>
      sent(to, now).find((cookie) => cookie.name === name)?.value ?? null,
  }
}

function isFor({ path, secure }: KeptCookie, { protocol, pathname }: URL): boolean {
  if (secure && protocol !== 'https:') return false
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function maySet({ domain = '', secure }: Cookie, { protocol, hostname }: URL): boolean {
  if (secure && protocol !== 'https:') return false
  return domain === '' || hostname === domain || (isIP(hostname) === 0 && hostname.endsWith(`.${domain}`))
}

function endOf({ maxAge, expires }: Cookie, now: number): number {
  if (maxAge !== undefined) return now + maxAge * 1000
  return expires === undefined ? Number.POSITIVE_INFINITY : Number(expires)
}
