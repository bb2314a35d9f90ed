import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { listen, loopback, trackConnections } from '../listen.ts'
import { findHostsByBehaviour } from '../seed/behaviours.ts'
import { openCertificateAuthority } from './certificate-authority.ts'
import { createSiteListener, type Sites } from './serve-site.ts'
import { createSniCallback } from './site-certificates.ts'

export type { HostedWeb } from './page.ts'

export interface SitesSettings extends Sites {
  readonly folder: string
  readonly address?: string
}

export type SandboxSites = Awaited<ReturnType<typeof startSites>>

/** A privileged port that no service uses any more. */
const closedPort = 1

export async function startSites(settings: SitesSettings) {
  const { address = loopback } = settings
  const authority = await openCertificateAuthority(settings.folder, new Date())
  const listener = createSiteListener(settings)
  const plain = createServer(listener)
  const secure = createTlsServer({ SNICallback: createSniCallback(authority) }, listener)
  const stops = [plain, secure].map(trackConnections)
  const [http, tls] = await Promise.all([listen(plain, address), listen(secure, address)])
  const refuse = (port: number, hosts: readonly string[]) =>
    hosts.map((host) => `${host}:${port}:${address}:${closedPort}`)
  return {
    /** For CONNECT_TO: connections to any host and port 80 or 443 go to the sandbox's ports. */
    connectTo: [
      ...refuse(443, findHostsByBehaviour('refusing', 'plain', 'without-tls')),
      ...refuse(80, findHostsByBehaviour('refusing')),
      `:443::${tls}`,
      `:80::${http}`,
    ].join(','),
    authorityFile: authority.file,
    ports: { http, tls },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
