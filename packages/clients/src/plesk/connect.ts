import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import type { connectTo } from '../probe/connect-to.ts'
import { ProbeFailure } from '../probe/failure.ts'
import type { Names } from '../probe/names.ts'

export interface Way {
  readonly detourOf: ReturnType<typeof connectTo>
  readonly names: Names
  /** The certificate's SHA-256 fingerprint, in upper case and without colons; null where it is verified as any. */
  readonly pin: string | null
  /** Milliseconds until an address has to be connected. */
  readonly patience: number
}

/** Addresses that are tried, one after the other. */
const mostTries = 3

/**
 * How a node is connected to. Its certificate is verified before anything is sent, and so before the API key is: against
 * the pin where there is one, and as browsers do where there is none.
 */
export function connectorOf({ detourOf, names, pin, patience }: Way): buildConnector.connector {
  const connector = buildConnector({
    allowH2: false,
    timeout: patience,
    autoSelectFamily: false,
    // A resumed session would show no certificate to compare.
    maxCachedSessions: 0,
    // A pinned certificate is compared below, which says more of it than any authority.
    rejectUnauthorized: pin === null,
  })

  async function reach(options: buildConnector.Options): Promise<Connected> {
    const { hostname } = options
    const detour = detourOf({ host: hostname, port: Number(options.port) })
    const addresses = await addressesOf(detour?.host ?? hostname)
    let failure: unknown = new ProbeFailure('its name has no address')
    for (const [index, address] of addresses.slice(0, mostTries).entries()) {
      try {
        const port = String(detour?.port ?? options.port)
        return await verified({ ...options, servername: hostname, hostname: address, port })
      } catch (error) {
        if (index === 0) failure = error
      }
    }
    names.forget(hostname)
    throw failure
  }

  async function addressesOf(host: string): Promise<readonly string[]> {
    const bare = host.replace(/^\[(.*)\]$/, '$1')
    if (isIP(bare) !== 0) return [bare]
    const ipv4 = await names.addresses(host, 4)
    return ipv4.length > 0 ? ipv4 : await names.addresses(host, 6)
  }

  async function verified(options: buildConnector.Options): Promise<Connected> {
    const socket = await new Promise<Connected>((resolve, reject) => {
      connector(options, (error, connected) => (error === null ? resolve(connected) : reject(error)))
    })
    if (pin === null) return socket
    const shown = socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint256 : undefined
    if (shown?.replaceAll(':', '') === pin) return socket
    socket.destroy()
    throw new ProbeFailure(
      `it shows another certificate than the one in PLESK_CERTIFICATES (its SHA-256 fingerprint is ${shown ?? 'unknown'})`,
    )
  }

  return (options, callback) => {
    reach(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}

type Connected = NonNullable<Parameters<buildConnector.Callback>[1]>
