import { baseUrlOf } from '../http/json-api.ts'
import { type Legacy, LegacyError } from './legacy.ts'
import { createLegacySession, maxBytes } from './legacy-session.ts'
import {
  readCategories,
  readDays,
  readEmails,
  readExternalDomains,
  readInventory,
  readOwnDomains,
  readRoles,
  readUsers,
} from './schemas.ts'

export interface LegacyOptions {
  /** Base address of the former system, such as https://console.example.com */
  readonly url: string
  /** The origin of its front end, if that is another one. */
  readonly frontEnd?: string
  /** Longest time without a byte of a response. */
  readonly idleTimeoutMs?: number
  /** Waits before the retries of a request. */
  readonly retryDelaysMs?: readonly number[]
}

/**
 * Creates a client of the former system; nothing is requested yet.
 * @throws {LegacyError} for an address that a password must not be sent to
 */
export function openLegacy(options: LegacyOptions): Legacy {
  const { url, frontEnd, idleTimeoutMs = 60_000, retryDelaysMs = [500, 2_000] } = options
  const baseUrl = parseBaseUrl(url)
  const session = createLegacySession({
    baseUrl,
    frontEnd: frontEnd === undefined ? baseUrl.origin : parseBaseUrl(frontEnd).origin,
    idleTimeoutMs,
    retryDelaysMs,
  })
  const list = async <Rows>(path: string, read: (response: unknown) => Rows) =>
    read(await session.getJson(path, maxBytes.list))

  return {
    async signIn(email, password) {
      await session.get('sanctum/csrf-cookie', maxBytes.token)
      await session.post('api/login', { email, password, remember: false }).catch((error: unknown) => {
        if (error instanceof LegacyError && /^(refused|invalid)$/.test(error.failure)) {
          throw new LegacyError(
            'credentials',
            'The former system does not accept this e-mail and password.',
            { cause: error },
          )
        }
        throw error
      })
      await session.getJson('api/users/current', maxBytes.day).catch((error: unknown) => {
        if (error instanceof LegacyError && error.failure === 'refused') {
          throw new LegacyError(
            'credentials',
            'The former system took the password and then does not know the session: give the address where staff open it with --origin.',
            { cause: error },
          )
        }
        throw error
      })
    },
    inventory: () => list('api/webs', readInventory),
    categories: () => list('api/categories', readCategories),
    roles: () => list('api/roles', readRoles),
    users: () => list('api/users', readUsers),
    externalDomains: () => list('api/externalDomains', readExternalDomains),
    ownDomains: () => list('api/limitis/domains', readOwnDomains),
    emails: () => list('api/limitis/emails', readEmails),
    async uptime(web, begin, end) {
      const query = new URLSearchParams({ web: String(web), begin, end })
      return readDays(await session.getJson(`api/monitoring/webs/uptime?${query}`, maxBytes.day))
    },
    async signOut() {
      await session.post('api/logout')
    },
    close: session.close,
  }
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function parseBaseUrl(url: string): URL {
  const base = URL.canParse(url) ? baseUrlOf(url.replace(/[?#].*$/, '')) : null
  if (base === null || !/^https?:$/.test(base.protocol) || base.username !== '' || base.password !== '')
    throw new LegacyError(
      'unreadable',
      `'${url.slice(0, 200)}' is not an address such as https://console.example.com.`,
    )
  if (base.protocol === 'http:' && !loopback.test(base.hostname)) {
    throw new LegacyError(
      'unreadable',
      'A password does not leave this machine without TLS: give an https:// address, or go through a tunnel that ends here.',
    )
  }
  return base
}
