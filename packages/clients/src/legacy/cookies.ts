import { isIP } from 'node:net'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly secure: boolean
  /** In milliseconds since 1970; null for a session cookie. */
  readonly until: number | null
}

/** As in browsers. */
const most = 50
const longest = 4096

/** Creates a store of one host's cookies that respects path, Secure and expiry (RFC 6265). */
export function createCookieJar() {
  const kept = new Map<string, Cookie>()
  return {
    /** @param from the requested address */
    store(lines: readonly string[], from: URL, now = Date.now()): void {
      for (const line of lines) {
        const cookie = cookieOf(line, from, now)
        if (cookie === null) continue
        const key = `${cookie.name} ${cookie.path}`
        kept.delete(key)
        if (isAlive(cookie, now) && kept.size < most) kept.set(key, cookie)
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

  function sent(to: URL, now: number): Cookie[] {
    return [...kept.values()]
      .filter((cookie) => isAlive(cookie, now) && isFor(cookie, to))
      .sort((a, b) => b.path.length - a.path.length)
  }
}

const isAlive = ({ until }: Cookie, now: number) => until === null || until > now

function isFor({ path, secure }: Cookie, { protocol, pathname }: URL): boolean {
  if (secure && protocol !== 'https:') return false
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

/** Returns null for an invalid cookie and for one that the host may not set. */
function cookieOf(line: string, from: URL, now: number): Cookie | null {
  if (line.length > longest) return null
  const [pair = '', ...rest] = line.split(';')
  const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
  if (name === '') return null
  const attributes = new Map(
    rest.map((part): [string, string] => {
      const [key = '', ...text] = part.split('=')
      return [key.trim().toLowerCase(), text.join('=').trim()]
    }),
  )
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase()
  if (domain && !isWithin(from.hostname, domain)) return null
  const secure = attributes.has('secure')
  if (secure && from.protocol !== 'https:') return null
  const path = attributes.get('path') ?? ''
  return {
    name,
    value,
    path: path.startsWith('/') ? path : defaultPath(from.pathname),
    secure,
    until: endOf(attributes, now),
  }
}

const isWithin = (host: string, domain: string) =>
  host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))

const defaultPath = (pathname: string) => pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')))

function endOf(attributes: ReadonlyMap<string, string>, now: number): number | null {
  const age = attributes.get('max-age')
  if (age !== undefined && /^-?\d{1,12}$/.test(age)) return now + Number(age) * 1000
  const expires = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(expires) ? null : expires
}
