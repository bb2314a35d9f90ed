import { constants } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { startDnsServer, type Zone } from '../dns-server.ts'
import { type Credentials, day, makeAuthority, selfSigned } from '../probe-certificates.ts'
import { answer } from './acts.ts'
import type { AddressName, CertificateName, Minute, Names, SiteBehaviour } from './behaviour.ts'

/**
 * Addresses of this machine, each with a server that treats connections in its own way. Nothing listens on `closed`.
 * They are loopback addresses that nothing else uses.
 */
const addresses: Readonly<Record<AddressName, string>> = {
  web: '127.77.0.1',
  plain: '127.77.0.2',
  closed: '127.77.0.3',
  silent: '127.77.0.4',
  hangUp: '127.77.0.5',
  noTls: '127.77.0.6',
  oldTls: '127.77.0.7',
  tls12: '127.77.0.8',
  p384: '127.77.0.9',
  clientCertificate: '127.77.0.10',
  garbage: '127.77.0.11',
  private: '10.11.12.13',
  metadata: '169.254.169.254',
  elsewhere: '127.77.0.12',
  ipv6: '::1',
  ipv6Private: 'fd00::1',
}

export interface BehavingSites {
  readonly authority: string
  readonly dnsServer: string
  readonly ports: { readonly secure: number; readonly plain: number }
  /** Whether this machine has IPv6. */
  readonly hasIpv6: boolean
  /** Lets a site, or all of them, behave as at this minute. */
  setMinute(minute: Minute, host?: string): void
  stop(): Promise<void>
}

interface Site {
  readonly behaviour: SiteBehaviour
  minute: Minute
  visits: number
  /** As `Date.now()`. */
  mishapAt: number
}

const beginning: Minute = { phase: 0, isOdd: false }

/** Longer than from a failed probe to the one that confirms it, also if the machine is busy. */
const mishapPauseMs = 100_000

function noteVisit(site: Site): { isMishap: boolean } {
  site.visits += 1
  const isMishap = site.visits > 1 && Date.now() - site.mishapAt > mishapPauseMs
  if (isMishap) site.mishapAt = Date.now()
  return { isMishap }
}

/**
 * Starts name server and web servers that behave like these sites.
 * @param sites their behaviours by host, which are names below `domain`
 * @param ports 443 and 80 for programs that use no others
 */
export async function startBehavingSites(
  sites: ReadonlyMap<string, SiteBehaviour>,
  { domain, ports = { secure: 0, plain: 0 } }: { domain: string; ports?: BehavingSites['ports'] },
): Promise<BehavingSites> {
  const certificates = await issueCertificates(domain)
  const byHost = new Map<string, Site>(
    [...sites].map(
      ([host, behaviour]) => [host, { behaviour, minute: beginning, visits: 0, mishapAt: 0 }] as const,
    ),
  )
  /** By both ends, of which the port of the visitor alone is not enough: it may visit several addresses from one. */
  const connections = new Map<string, net.Socket>()
  const servers: net.Server[] = []

  const contexts = new Map(
    Object.entries(certificates.credentials).map(([name, pair]) => [name, tls.createSecureContext(pair)]),
  )

  const options: tls.TlsOptions = {
    ...certificates.credentials.good,
    // Each connection shows the certificate of its minute.
    secureOptions: constants.SSL_OP_NO_TICKET,
    SNICallback(host, done) {
      const site = byHost.get(host)
      const certificate = site?.behaviour.certificate?.(site.minute) ?? 'good'
      const context = site && contexts.get(certificate)
      if (context === undefined) done(new Error(`There is no certificate for ${host}`))
      else done(null, context)
    },
  }

  function serveHttp(socket: net.Socket): void {
    // Probes close connections, which is an error for a socket that is still written to.
    socket.on('error', () => socket.destroy())
    let head = ''
    socket.on('data', (bytes) => {
      const isComplete = head.includes('\r\n\r\n')
      head += String(bytes)
      if (isComplete || !head.includes('\r\n\r\n')) return
      const host = /^host: ([^\r:]+)/im.exec(head)?.[1] ?? ''
      const site = byHost.get(host)
      if (site === undefined) return void socket.destroy()
      const path = head.split(' ')[1] ?? ''
      const act = site.behaviour.respond?.({ ...site.minute, ...noteVisit(site), path }) ?? answer('200 OK')
      act(socket, connections.get(endsOf(socket)) ?? socket)
    })
  }

  function track(socket: net.Socket): void {
    const ends = endsOf(socket)
    connections.set(ends, socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => connections.delete(ends))
  }

  async function listen(server: net.Server, host: string, port: number): Promise<number> {
    server.on('connection', track)
    server.on('tlsClientError', (_: Error, socket: tls.TLSSocket) => socket.destroy())
    server.listen(port, host)
    await once(server, 'listening')
    servers.push(server)
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('There is no port')
    return address.port
  }

  const secureServer = (more: tls.TlsOptions = {}) => tls.createServer({ ...options, ...more }, serveHttp)
  const secure = await listen(secureServer(), addresses.web, ports.secure)
  const plain = await listen(net.createServer(serveHttp), addresses.web, ports.plain)
  const others: readonly (readonly [AddressName, net.Server])[] = [
    ['silent', net.createServer()],
    ['hangUp', net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))],
    [
      'noTls',
      net.createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    ],
    ['garbage', net.createServer((socket) => socket.end('220 mail.test ESMTP\r\n'))],
    ['oldTls', secureServer({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })],
    ['elsewhere', secureServer()],
    ['tls12', secureServer({ maxVersion: 'TLSv1.2' })],
    ['p384', secureServer({ ecdhCurve: 'P-384' })],
    [
      'clientCertificate',
      secureServer({ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
    ],
  ]
  for (const [name, server] of others) await listen(server, addresses[name], secure)
  await listen(net.createServer(serveHttp), addresses.plain, plain)
  const hasIpv6 = await listen(secureServer(), addresses.ipv6, secure).then(
    () => true,
    () => false,
  )

  const dns = await startDnsServer({})
  const zone: Record<string, Zone[string]> = {}
  dns.state.zone = zone
  function setMinute(minute: Minute, host?: string): void {
    for (const [name, site] of host === undefined ? byHost : [[host, byHost.get(host)] as const]) {
      if (site === undefined) throw new Error(`There is no site ${name}`)
      site.minute = minute
      const named = zoneOf(site.behaviour.names?.(minute) ?? ['web'])
      if (named === null) delete zone[name]
      else zone[name] = named
    }
  }
  setMinute(beginning)

  return {
    authority: certificates.authority,
    dnsServer: dns.server,
    ports: { secure, plain },
    hasIpv6,
    setMinute,
    async stop() {
      const closed = servers.map((server) => once(server.close(), 'close'))
      for (const socket of connections.values()) socket.destroy()
      await Promise.all(closed)
      await dns.stop()
    },
  }
}

const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: net.Socket): string =>
  `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`

/** @returns null for a name that does not exist */
function zoneOf(found: Names): Zone[string] | null {
  if (found === 'unknown') return null
  if (found === 'failing') return 'SERVFAIL'
  if (found === 'silent') return 'timeout'
  const all = found === 'empty' ? [] : found.map((name) => addresses[name])
  const ofFamily = (family: number) => all.filter((address) => net.isIP(address) === family)
  return { A: ofFamily(4), AAAA: ofFamily(6), ttl: 0 }
}

/** For every name below the domain. */
async function issueCertificates(domain: string) {
  const names = [`*.${domain}`]
  const [authority, stranger] = await Promise.all([
    makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1'),
    makeAuthority('O=Nobody, CN=Nobody R1'),
  ])
  const credentials: Readonly<Record<Exclude<CertificateName, 'none'>, Credentials>> = {
    good: await authority.issue({ names }),
    renewed: await authority.issue({ names, untilMs: 90 * day }),
    endsSoon: await authority.issue({ names, untilMs: 5 * day }),
    expired: await authority.issue({ names, fromMs: -20 * day, untilMs: -day }),
    notYetValid: await authority.issue({ names, fromMs: day, untilMs: 2 * day }),
    wrongName: await authority.issue({ names: ['server.hosting.test'] }),
    selfSigned: await selfSigned({ names }),
    untrusted: await stranger.issue({ names }),
  }
  return { authority: authority.cert, credentials }
}
