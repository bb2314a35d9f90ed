import { once } from 'node:events'
import tls from 'node:tls'
import { abortable } from '../connect/abortable.ts'
import { type Certificate, readCertificate } from '../connect/certificate.ts'
import { FetchError, type FetchFailure, type Stage, toError, toFetchError } from '../connect/fetch-error.ts'
import { createSecureContext } from '../connect/guarded-connector.ts'
import { type ConnectSettings, createHostConnector, type HostAddress } from '../connect/host-connector.ts'

export interface NameChecker {
  /**
   * Shakes hands with `name:443` over IPv4 and over IPv6, and sends nothing. Never rejects.
   * @param signal ends it early with the failure "stopped"
   */
  check(name: string, signal?: AbortSignal): Promise<NameCheck>
  close(): Promise<void>
}

export interface NameCheck {
  /** Those of both families that may be connected to. */
  readonly addresses: readonly string[]
  /** Null if the name has no address of the family. */
  readonly ipv4: FamilyCheck | null
  readonly ipv6: FamilyCheck | null
}

export interface FamilyCheck {
  /** Null if there was no handshake. */
  readonly certificate: CheckedCertificate | null
  /** Why not, or why browsers refuse the certificate; null if they accept it. */
  readonly failure: FetchFailure | null
  /** Whether it may be the fault of our own network: it has no IPv6, or nothing has come back over the family for an hour. */
  readonly isOwn: boolean
}

export interface CheckedCertificate extends Certificate {
  readonly coversName: boolean
  /** Whether its chain leads to an authority that is trusted, and it is valid now. */
  readonly isTrusted: boolean
}

interface NameCheckerSettings extends ConnectSettings {
  /** Certificate authorities in PEM that are trusted besides Node's own. */
  readonly authorities?: readonly string[]
  /** For both families together. */
  readonly deadlineMs?: number
  readonly port?: number
}

const evidenceMs = 3_600_000

/** @throws if an allowed network or a name server's address is invalid */
export function openNameChecker(settings: NameCheckerSettings = {}): NameChecker {
  const { deadlineMs = 10_000, port = 443, now = Date.now, authorities = [] } = settings
  const hosts = createHostConnector({ ...settings, dnsTimeoutMs: deadlineMs / 5 })
  const context = createSecureContext(authorities)
  const closing = new AbortController()
  const running = new Set<Promise<NameCheck>>()
  /** When something last came back over each family. */
  const answeredAt = new Map<4 | 6, number>()

  async function checkFamily(
    name: string,
    family: 4 | 6,
    stop: AbortSignal,
    deadline: AbortSignal,
    onAddresses: (addresses: readonly string[]) => void,
  ): Promise<FamilyCheck | null> {
    const signal = AbortSignal.any([stop, deadline])
    try {
      const checked = await hosts.connect(
        name,
        port,
        (address) => {
          // The last address has until the deadline.
          const timeoutMs = address.remaining === 1 ? null : deadlineMs / address.remaining
          return shakeHands(address, context, timeoutMs, signal)
        },
        { signal, families: [family], onAddresses },
      )
      answeredAt.set(family, now())
      return { ...checked, isOwn: false }
    } catch (error) {
      if (stop.aborted) return { certificate: null, failure: { code: 'stopped' }, isOwn: true }
      const { failure, code } = toFetchError(error, 'handshake')
      if (failure.code === 'address_missing') return null
      const isSilent = silentCodes.has(code ?? '')
      // A refusal has come back, too.
      if (!isSilent && code !== null) answeredAt.set(family, now())
      const isUnheard = isSilent && now() - (answeredAt.get(family) ?? Number.NEGATIVE_INFINITY) > evidenceMs
      const isOwn = isUnheard || failure.code === 'ipv6_missing'
      return { certificate: null, failure, isOwn }
    }
  }

  async function check(name: string, stop: AbortSignal): Promise<NameCheck> {
    const deadline = new AbortController()
    const late = new FetchError(
      { code: 'no_handshake_in_time', params: { seconds: deadlineMs / 1000 } },
      timeout,
    )
    const timer = setTimeout(() => deadline.abort(late), deadlineMs)
    const addresses = new Set<string>()
    const collect = (found: readonly string[]) => {
      for (const address of found) addresses.add(address)
    }
    const over = (family: 4 | 6) => checkFamily(name, family, stop, deadline.signal, collect)
    try {
      const [ipv4, ipv6] = await Promise.all([over(4), over(6)])
      return { addresses: [...addresses], ipv4, ipv6 }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    check(name, signal) {
      const stop = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal])
      const checking = check(name, stop).finally(() => running.delete(checking))
      running.add(checking)
      return checking
    },
    async close() {
      closing.abort()
      hosts.close()
      await Promise.all(running)
    },
  }
}

const timeout = { code: 'ETIMEDOUT' } as const

/** Nothing came back, which may be the fault of our own network. */
const silentCodes: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])

/** @throws {FetchError} if there is no certificate to be seen */
async function shakeHands(
  { address: host, port, serverName, isPermitted, name }: HostAddress,
  secureContext: tls.SecureContext,
  timeoutMs: number | null,
  signal: AbortSignal,
): Promise<Omit<FamilyCheck, 'isOwn'>> {
  const options: tls.ConnectionOptions & { autoSelectFamily: boolean } = {
    host,
    port,
    autoSelectFamily: false,
    secureContext,
    // A certificate that browsers refuse is to be seen, too. Nothing is sent over this connection.
    rejectUnauthorized: false,
    ...(serverName !== undefined && { servername: serverName }),
  }
  const socket = tls.connect(options)
  // An unhandled error of a socket would end the process.
  socket.on('error', () => undefined)
  const giveUp = () => socket.destroy(new FetchError({ code: 'no_connection' }, timeout))
  const timer = timeoutMs === null ? undefined : setTimeout(giveUp, timeoutMs)
  let stage: Stage = 'connection'
  try {
    await abortable(once(socket, 'connect'), signal)
    const { remoteAddress } = socket
    // It has been reset already.
    if (remoteAddress === undefined) throw new FetchError({ code: 'handshake_closed' })
    if (!isPermitted(remoteAddress)) throw new FetchError({ code: 'address_private' })
    stage = 'handshake'
    await abortable(once(socket, 'secureConnect'), signal)
    const coversName = tls.checkServerIdentity(serverName ?? name, socket.getPeerCertificate()) === undefined
    const problem = socket.authorized ? null : toCode(socket.authorizationError)
    return {
      certificate: {
        ...readCertificate(socket),
        coversName,
        isTrusted: problem === null || problem === altNameInvalid,
      },
      failure:
        problem === null
          ? null
          : toFetchError(Object.assign(new Error(problem), { code: problem }), 'handshake').failure,
    }
  } catch (error) {
    throw toFetchError(error, stage)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

const altNameInvalid = 'ERR_TLS_CERT_ALTNAME_INVALID'

/** Node gives the code of what is wrong with a certificate, or the error. */
function toCode(problem: unknown): string {
  if (typeof problem === 'string') return problem
  const error = toError(problem)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
