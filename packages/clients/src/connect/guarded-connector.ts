import { isIP } from 'node:net'
import tls from 'node:tls'
import { buildConnector } from 'undici'
import { FetchError, toError } from './fetch-error.ts'
import { type ConnectSettings, createHostConnector, type HostAddress } from './host-connector.ts'

export interface GuardedConnectorSettings extends ConnectSettings {
  /** Certificate authorities in PEM that are trusted besides Node's own. */
  readonly authorities?: readonly string[]
  /** SHA-256 fingerprint of the only certificate that is accepted, by any issuer. */
  readonly fingerprint?: string | undefined
  readonly connectTimeoutMs?: number
}

export type GuardedConnector = ReturnType<typeof createGuardedConnector>

/** @throws if an allowed network or a name server's address is invalid */
export function createGuardedConnector(settings: GuardedConnectorSettings) {
  const { authorities = [], connectTimeoutMs = 4_000 } = settings
  const fingerprint = settings.fingerprint?.replaceAll(':', '').toUpperCase()
  const hosts = createHostConnector(settings)
  const connector = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    autoSelectFamily: false,
    // A pinned certificate is compared below. Otherwise NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: fingerprint === undefined,
    // A resumed session has no certificate to compare.
    ...(fingerprint !== undefined && { maxCachedSessions: 0 }),
    ...(authorities.length > 0 && { secureContext: createSecureContext(authorities) }),
  })

  function connectAddress(options: buildConnector.Options, { serverName, address, port }: HostAddress) {
    const { servername: _, ...others } = options
    const isNamed = options.protocol === 'https:' && serverName !== undefined
    return new Promise<Socket>((resolve, reject) => {
      connector(
        { ...others, ...(isNamed && { servername: serverName }), hostname: address, port: String(port) },
        (error, socket) => {
          if (error !== null) return reject(error)
          const shown = socket instanceof tls.TLSSocket && socket.getPeerCertificate().fingerprint256
          if (fingerprint === undefined || (shown && shown.replaceAll(':', '') === fingerprint))
            return resolve(socket)
          socket.destroy()
          reject(
            new FetchError({
              code: 'plesk_certificate_other',
              params: { fingerprint: shown || 'unknown' },
            }),
          )
        },
      )
    })
  }

  return {
    /** For undici: connects to permitted addresses only. */
    connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
      const { hostname, protocol } = options
      // undici passes an IPv6 address without its brackets.
      const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname
      const port = Number(options.port || (protocol === 'https:' ? 443 : 80))
      hosts
        .connect(host, port, (address) => connectAddress(options, address))
        .then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(toError(error), null),
        )
    },
    close: hosts.close,
  }
}

/** Creates a context that trusts authorities besides Node's own. */
export const createSecureContext = (authorities: readonly string[], options: tls.SecureContextOptions = {}) =>
  tls.createSecureContext({
    ...options,
    ...(authorities.length > 0 && { ca: [...tls.getCACertificates('default'), ...authorities] }),
  })

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>
