import type { z } from 'zod'
import { parseBaseUrl } from '../http/json-api.ts'
import { LegacyError, type LegacyFailure } from './errors.ts'
import { createLegacySession, maxBytes } from './legacy-session.ts'
import {
  category,
  day,
  email,
  externalDomain,
  ownDomain,
  readInventory,
  readRows,
  role,
  user,
} from './schemas.ts'

export interface LegacyOptions {
  /** Base address of the former system, such as https://console.example.com */
  readonly url: string
  /** The origin of its front end, if that is another one. */
  readonly frontendOrigin?: string | undefined
  /** Longest time without a byte of a response. */
  readonly idleTimeoutMs?: number | undefined
  /** Waits before the retries of a request. */
  readonly retryDelaysMs?: readonly number[]
}

/** Reads the former system through its API. Each call throws {@link LegacyError}. */
export type Legacy = ReturnType<typeof openLegacy>

/**
 * Creates a client of the former system; nothing is requested yet.
 * @throws {LegacyError} for an address that a password must not be sent to
 */
export function openLegacy(options: LegacyOptions) {
  const { url, frontendOrigin, idleTimeoutMs = 60_000, retryDelaysMs = [500, 2_000] } = options
  const baseUrl = checkBaseUrl(url)
  const session = createLegacySession({
    baseUrl,
    frontendOrigin: frontendOrigin === undefined ? baseUrl.origin : checkBaseUrl(frontendOrigin).origin,
    idleTimeoutMs,
    retryDelaysMs,
  })
  const list = async <Row>(path: string, what: string, schema: z.ZodType<Row>) =>
    readRows(await session.getJson(path, maxBytes.list), what, schema)

  return {
    async signIn(email: string, password: string): Promise<void> {
      await session.get('sanctum/csrf-cookie', maxBytes.token)
      await session
        .post('api/login', { email, password, remember: false })
        .catch(
          throwWrongCredentials(
            ['refused', 'invalid'],
            'The former system does not accept this e-mail and password.',
          ),
        )
      await session
        .getJson('api/users/current', maxBytes.day)
        .catch(
          throwWrongCredentials(
            ['refused'],
            'The former system took the password and then does not know the session: give the address where staff open it with --origin.',
          ),
        )
    },
    inventory: async () => readInventory(await session.getJson('api/webs', maxBytes.list)),
    categories: () => list('api/categories', 'categories', category),
    roles: () => list('api/roles', 'roles', role),
    users: () => list('api/users', 'users', user),
    externalDomains: () => list('api/externalDomains', 'external domains', externalDomain),
    ownDomains: () => list('api/limitis/domains', 'own domains', ownDomain),
    emails: () => list('api/limitis/emails', 'mailboxes', email),
    /** @param begin and end as YYYY-MM-DD, both included */
    async uptime(web: number, begin: string, end: string) {
      const query = new URLSearchParams({ web: String(web), begin, end })
      return readRows(await session.getJson(`api/monitoring/webs/uptime?${query}`, maxBytes.day), 'days', day)
    },
    signOut: () => session.post('api/logout'),
    close: session.close,
  }
}

/** Returns a handler that explains these failures of signing in and passes on others. */
const throwWrongCredentials = (failures: readonly LegacyFailure[], sentence: string) => (error: unknown) => {
  throw error instanceof LegacyError && failures.includes(error.failure)
    ? new LegacyError('credentials', sentence, { cause: error })
    : error
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function checkBaseUrl(url: string): URL {
  const base = URL.canParse(url) ? parseBaseUrl(url.replace(/[?#].*$/, '')) : null
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
