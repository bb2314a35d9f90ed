import type { Socket } from 'node:net'

/** The machines that a host name can lead to. */
export type AddressName =
  /** Serves HTTPS and HTTP. */
  | 'web'
  /** Serves HTTP alone: port 443 refuses. */
  | 'plain'
  /** Refuses both. */
  | 'closed'
  /** Accepts connections and says nothing. */
  | 'silent'
  /** Resets connections during the handshake. */
  | 'hangUp'
  /** Speaks HTTP on port 443. */
  | 'noTls'
  /** Greets as a mail server does. */
  | 'garbage'
  /** Speaks TLS 1.1 at most, 1.2 at most, or with other keys than most. */
  | 'oldTls'
  | 'tls12'
  | 'p384'
  /** Wants a certificate of its visitors. */
  | 'clientCertificate'
  /** Addresses that no probe may connect to. */
  | 'private'
  | 'metadata'
  | 'ipv6Private'
  /** Serves HTTPS over IPv6. */
  | 'ipv6'
  /** Serves HTTPS as `web` does, but is another machine. */
  | 'elsewhere'

export type CertificateName =
  | 'good'
  | 'renewed'
  | 'expired'
  | 'notYetValid'
  | 'wrongName'
  | 'selfSigned'
  | 'untrusted'
  | 'endsSoon'
  /** The server ends the handshake because it does not know the name. */
  | 'none'

/** Phase 0 is before a change of the site, 1 during, and 2 after it. */
export interface Minute {
  readonly phase: 0 | 1 | 2
  /** Changes with each round. */
  readonly isOdd: boolean
}

export interface Request extends Minute {
  readonly path: string
  /** True for some requests, which are a while apart: the second probe of a failure never meets one. */
  readonly isMishap: boolean
}

/** Responds to a request, or does not. @param connection below TLS */
export type Act = (socket: Socket, connection: Socket) => void

/** What a name server says of a host. */
export type Names = 'unknown' | 'failing' | 'silent' | 'empty' | readonly AddressName[]

export interface SiteBehaviour {
  /** Part of the host's name: letters, digits and hyphens. */
  readonly name: string
  /** `['web']` by default. */
  readonly names?: (minute: Minute) => Names
  /** `good` by default. */
  readonly certificate?: (minute: Minute) => CertificateName
  /** Settings of the web's check, as they are stored. */
  readonly check?: Readonly<Record<string, unknown>>
  /** A page by default. */
  readonly respond?: (request: Request) => Act
  /** The web is refreshed when a phase begins: only that finds out where its domain points to. */
  readonly isRefreshed?: true
  readonly expected: Expected
}

export interface Expected {
  /** At the end of phase 2. */
  readonly state: 'up' | 'degraded' | 'down'
  /** Of all phases, in their order. An open one has been announced, and so have been those that ended. */
  readonly incidents: readonly ExpectedIncident[]
}

export interface ExpectedIncident {
  readonly kind: 'down' | 'flapping' | 'moved'
  readonly isOpen: boolean
  /** The code of its reason. */
  readonly reason: string
}

/** The web stays up whatever happens, and nobody is alerted. */
export const staysUp: Expected = { state: 'up', incidents: [] }

/** It counts as degraded from phase 1 on, which is no incident. */
export const degrades: Expected = { state: 'degraded', incidents: [] }

/** One incident, from phase 1 on. @param reason the code of its message */
export const goesDown = (reason: string): Expected => ({
  state: 'down',
  incidents: [{ kind: 'down', isOpen: true, reason }],
})

/** One incident, of phase 1. */
export const recovers = (reason: string): Expected => ({
  state: 'up',
  incidents: [{ kind: 'down', isOpen: false, reason }],
})
