import { once } from 'node:events'
import tls from 'node:tls'
import { afterAll } from 'vitest'
import { startDnsServer } from './dns-server.ts'
import { type CertificateOptions, type Credentials, makeAuthority, selfSigned } from './probe-certificates.ts'

/**
 * A TLS server on 127.0.0.1 and, where the machine has it, another one on ::1 at the same port, which show a certificate of
 * their own for each name, and a name server. Call it at the top of a test file.
 */
export async function openCertificateSites() {
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  const shown = { 4: new Map<string, Credentials>(), 6: new Map<string, Credentials>() }
  const handshakes: string[] = []
  const start = async (family: 4 | 6, port: number) => {
    const server = tls.createServer({
      SNICallback(name, done) {
        handshakes.push(`IPv${family} ${name}`)
        const credentials = shown[family].get(name)
        done(
          credentials ? null : new Error('no certificate'),
          credentials && tls.createSecureContext(credentials),
        )
      },
    })
    // Clients end their connections at once.
    server.on('tlsClientError', (_, socket) => socket.destroy())
    server.on('secureConnection', (socket) => socket.on('error', () => socket.destroy()))
    server.listen(port, family === 4 ? '127.0.0.1' : '::1')
    await once(server, 'listening')
    return server
  }
  const ipv4 = await start(4, 0)
  const address = ipv4.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port')
  const ipv6 = await start(6, address.port)
  const dns = await startDnsServer({})
  afterAll(async () => {
    ipv4.close()
    ipv6.close()
    await dns.stop()
  })
  return {
    settings: {
      authorities: [authority.cert],
      dnsServers: [dns.server],
      allowNetworks: ['127.0.0.0/8', '::1/128', 'ff00::/8'],
      port: address.port,
      deadlineMs: 2_000,
    },
    dns: dns.state,
    authority,
    /** Such as `IPv4 web.test`. */
    handshakes,
    issue: (options: CertificateOptions) => authority.issue(options),
    selfSigned,
    /** @param families over which the name shows the certificate; where it has none, the handshake fails */
    show(name: string, credentials: Credentials, families: readonly (4 | 6)[] = [4, 6]): void {
      for (const family of families) shown[family].set(name, credentials)
    },
    forgetAll(): void {
      shown[4].clear()
      shown[6].clear()
      dns.state.zone = {}
      handshakes.splice(0)
    },
  }
}
