import {
  readCategories,
  readDays,
  readEmails,
  readExternalDomains,
  readInventory,
  readOwnDomains,
  readRoles,
  readUsers,
} from './answers.ts'
import { openExchange } from './exchange.ts'
import { type Legacy, LegacyError } from './legacy.ts'

export interface LegacyOptions {
  /** Where the former system lies, such as https://console.example.com */
  readonly url: string
  /** The origin of its front end, where that is another one. */
  readonly frontEnd?: string
  /** Milliseconds without a byte of an answer; 60 s unless told otherwise. */
  readonly timeout?: number
  /** Milliseconds before each further try of a question. */
  readonly waits?: readonly number[]
}

/** Largest answers, in bytes: a list of all webs with what they are tracked with, and a year of one web. */
const largest = { list: 128 * 1024 * 1024, days: 4 * 1024 * 1024 } as const

/**
 * Opens a client of the former system; nothing is asked yet.
 * @throws LegacyError for an address that a password must not go to
 */
export function openLegacy({ url, frontEnd, timeout = 60_000, waits = [500, 2_000] }: LegacyOptions): Legacy {
  const base = baseOf(url)
  const exchange = openExchange({
    base,
    frontEnd: frontEnd === undefined ? base.origin : baseOf(frontEnd).origin,
    timeout,
    waits,
  })
  const list = async <Rows>(path: string, read: (answer: unknown) => Rows) =>
    read(await exchange.ask(path, largest.list))

  return {
    async signIn(email, password) {
      await exchange.get('sanctum/csrf-cookie', 65_536)
      await exchange.post('api/login', { email, password, remember: false }).catch((error: unknown) => {
        if (error instanceof LegacyError && /^(refused|invalid)$/.test(error.failure)) {
          throw new LegacyError(
            'credentials',
            'The former system does not accept this e-mail and password.',
            {
              cause: error,
            },
          )
        }
        throw error
      })
      await exchange.ask('api/users/current', largest.days).catch((error: unknown) => {
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
      return readDays(await exchange.ask(`api/monitoring/webs/uptime?${query}`, largest.days))
    },
    async signOut() {
      await exchange.post('api/logout')
    },
    close: exchange.close,
  }
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function baseOf(url: string): URL {
  const base = URL.canParse(url) ? new URL(`${url.replace(/[?#].*$/, '').replace(/\/+$/, '')}/`) : null
  if (base === null || !/^https?:$/.test(base.protocol) || base.username !== '' || base.password !== '')
    throw new LegacyError(
      'unreadable',
      `'${url.slice(0, 200)}' is no address such as https://console.example.com.`,
    )
  if (base.protocol === 'http:' && !loopback.test(base.hostname)) {
    throw new LegacyError(
      'unreadable',
      'A password does not leave this machine without TLS: give an https:// address, or go through a tunnel that ends here.',
    )
  }
  return base
}
