import { isIP } from 'node:net'
import tls from 'node:tls'
import { buildConnector } from 'undici'
import { permission, readHost } from '../probe/addresses.ts'
import { connectTo } from '../probe/connect-to.ts'
import { connectionFailure, ProbeFailure } from '../probe/failure.ts'
import { openNames } from '../probe/names.ts'
import type { PageFetcherSettings } from './page-fetcher.ts'

/** Addresses of one family that are tried, one after the other, and the milliseconds that each of them has. */
const mostTries = 3
const patience = 4_000

export interface Reach {
  /** Connects to no other address than one that it has checked. */
  readonly connect: buildConnector.connector
  close(): void
}

/**
 * How connections are made, by the rules of probes: names are resolved here, their addresses checked, and one that may
 * be reached is connected to. IPv6 is not even asked for where IPv4 connects.
 * @throws where an allowed network or a name server's address is not one
 */
export function openReach(settings: PageFetcherSettings): Reach {
  const { connectTo: list = '', allowNetworks = [], dnsServers = [], authorities = [] } = settings
  const detourOf = connectTo(list)
  const permits = permission(allowNetworks)
  const names = openNames({ servers: dnsServers, timeout: 2_000, now: settings.now ?? Date.now })
  const connector = buildConnector({
    allowH2: false,
    timeout: patience,
    autoSelectFamily: false,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    ...(authorities.length > 0 && {
      secureContext: tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ...authorities] }),
    }),
  })

  async function reach({ servername: _, ...options }: buildConnector.Options): Promise<Connected> {
    // undici takes an IPv6 address out of its brackets.
    const target = readHost(isIP(options.hostname) === 6 ? `[${options.hostname}]` : options.hostname)
    if (target === null) throw new ProbeFailure('its name is not a host name')
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    const detour = detourOf({ host: target.name, port })
    const to = detour === null ? target : readHost(detour.host)
    if (to === null) throw new ProbeFailure('CONNECT_TO sends it to what is not a host name')
    // SNI knows no addresses; the certificate is then for the address.
    const named = options.protocol === 'https:' && target.address === null ? { servername: target.name } : {}
    let failure: ProbeFailure | null = null
    for (const family of [4, 6] as const) {
      const found = await addressesOf(to, family)
      const permitted = detour === null ? found.filter(permits) : found
      if (found.length > 0 && permitted.length === 0) failure ??= new ProbeFailure('its address is private')
      for (const hostname of permitted.slice(0, mostTries)) {
        try {
          return await connected({ ...options, ...named, hostname, port: String(detour?.port ?? port) })
        } catch (error) {
          failure ??= connectionFailure(asError(error), 'connection')
        }
      }
    }
    names.forget(to.name)
    throw failure ?? new ProbeFailure('its name has no address')
  }

  async function addressesOf(to: NonNullable<ReturnType<typeof readHost>>, family: 4 | 6) {
    if (to.address !== null) return isIP(to.address) === family ? [to.address] : []
    return await names.addresses(to.name, family)
  }

  const connected = (options: buildConnector.Options) =>
    new Promise<Connected>((resolve, reject) => {
      connector(options, (error, socket) => (error === null ? resolve(socket) : reject(error)))
    })

  return {
    connect(options, callback) {
      reach(options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(asError(error), null),
      )
    },
    close: names.close,
  }
}

type Connected = NonNullable<Parameters<buildConnector.Callback>[1]>

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
