import { isIP } from 'node:net'
import { createAddressCache } from './address-cache.ts'
import { createAddressFilter, readHost } from './address-filter.ts'
import { connectTo } from './connect-to.ts'
import { FetchError, toFetchError } from './fetch-error.ts'

export interface ConnectSettings {
  /** curl's `--connect-to`: HOST1:PORT1:HOST2:PORT2, separated by commas. Its targets are not filtered by address. */
  readonly connectTo?: string | undefined
  /** Special-purpose networks (CIDR) that may be connected to. */
  readonly allowNetworks?: readonly string[]
  /** Instead of the system's name servers, in the form of Node's `setServers`. */
  readonly dnsServers?: readonly string[]
  readonly dnsTimeoutMs?: number
  readonly now?: (() => number) | undefined
}

export interface HostAddress {
  /** The host in URL form: an IPv6 address is in brackets. */
  readonly name: string
  /** For TLS; SNI allows no addresses. */
  readonly serverName: string | undefined
  readonly address: string
  readonly port: number
  /** Addresses of this family that are left, this one included. */
  readonly remaining: number
  readonly isPermitted: (address: string) => boolean
}

export interface ConnectAttempts {
  readonly signal?: AbortSignal
  readonly onLookup?: () => void
  /** In the order in which they are tried; IPv4 before IPv6 by default. */
  readonly families?: readonly (4 | 6)[]
  /** Called with the addresses of each family that may be connected to. */
  readonly onAddresses?: (addresses: readonly string[]) => void
  /** Whether no other address is tried after a failure. */
  readonly isFinal?: () => boolean
}

const maxAddressesPerFamily = 3

/**
 * Creates what all connections to hosts of others are made with: it resolves names itself and lets only permitted
 * addresses be connected to.
 * @throws if an allowed network or a name server's address is invalid
 */
export function createHostConnector(settings: ConnectSettings) {
  const { allowNetworks = [], dnsServers = [], dnsTimeoutMs = 2_000, now = Date.now } = settings
  const overrideOf = connectTo(settings.connectTo ?? '')
  const isPublic = createAddressFilter(allowNetworks)
  const names = createAddressCache(dnsServers, dnsTimeoutMs, now)

  async function lookUp({ name, address }: Host, family: 4 | 6, { signal, onLookup }: ConnectAttempts) {
    onLookup?.()
    if (address !== null) return isIP(address) === family ? [address] : []
    return await names.addresses(name, family, signal)
  }

  return {
    /**
     * Returns what the first successful attempt returns.
     * @throws {FetchError} of all failures the most relevant
     */
    async connect<T>(
      host: string,
      port: number,
      attempt: (address: HostAddress) => Promise<T>,
      attempts: ConnectAttempts = {},
    ): Promise<T> {
      const target = readHost(host)
      if (target === null) throw new FetchError({ code: 'host_name_wrong' })
      const override = overrideOf({ host: target.name, port })
      const to = override === null ? target : readHost(override.host)
      if (to === null) throw new FetchError({ code: 'connect_to_wrong' })
      const isPermitted = override === null ? isPublic : () => true
      const failures: FetchError[] = []
      let isPrivate = false
      let hasIpv4 = false
      try {
        // IPv6 is not looked up if IPv4 connects: a web that only one of them reaches is down for many.
        for (const family of attempts.families ?? ([4, 6] as const)) {
          const found = await lookUp(to, family, attempts).catch((error: unknown) => {
            // After failures over IPv4, a failing lookup for IPv6 is of no interest.
            if (failures.length === 0 || attempts.signal?.aborted) throw error
            return []
          })
          const permitted = found.filter(isPermitted).slice(0, maxAddressesPerFamily)
          isPrivate ||= found.length > 0 && permitted.length === 0
          hasIpv4 ||= family === 4 && permitted.length > 0
          attempts.onAddresses?.(permitted)
          for (const [index, address] of permitted.entries()) {
            try {
              return await attempt({
                name: target.name,
                serverName: target.address === null ? target.name : undefined,
                address,
                port: override?.port ?? port,
                remaining: permitted.length - index,
                isPermitted,
              })
            } catch (error) {
              if (attempts.isFinal?.()) throw error
              failures.push(toFetchError(error, 'connection'))
            }
          }
        }
        if (!hasIpv4 && failures.length > 0 && failures.every(isUnroutable))
          throw new FetchError({ code: 'ipv6_missing' }, { code: failures[0]?.code ?? null })
        throw (
          mostRelevantError(failures) ??
          new FetchError({ code: isPrivate ? 'address_private' : 'address_missing' })
        )
      } catch (error) {
        // The host may have moved to another address.
        names.forget(to.name)
        throw error
      }
    },
    close: names.close,
  }
}

type Host = NonNullable<ReturnType<typeof readHost>>

/** Codes that say something of this machine's network only. */
const unroutable = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])

const isUnroutable = ({ code }: FetchError): boolean => unroutable.has(code ?? '')

/** Prefers an error that is a reason not to try HTTP, then a refusal. */
function mostRelevantError(failures: readonly FetchError[]): FetchError | undefined {
  const routed = failures.filter((failure) => !isUnroutable(failure))
  return routed.find(({ code }) => code !== 'ECONNREFUSED') ?? routed[0] ?? failures[0]
}
