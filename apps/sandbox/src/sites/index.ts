import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { closing, listen, loopback } from '../listening.ts'
import { hostsThat } from '../seed/behaviours.ts'
import { answerer, type Sites } from './answer.ts'
import { openAuthority } from './authority.ts'
import { certificates } from './certificates.ts'

export type { HostedWeb } from './page.ts'

export interface SitesSettings extends Sites {
  /** Where the certificate authority is kept from one start to the next. */
  readonly folder: string
}

export interface SandboxSites {
  /** For CONNECT_TO: leaves the names as they are, so that they are resolved, and goes to the sandbox's ports. */
  readonly connectTo: string
  /** For PROBE_CA_FILE. */
  readonly authorityFile: string
  readonly ports: { readonly http: number; readonly tls: number }
  stop(): Promise<void>
}

/** Where nobody listens: a port of the privileged ones that no service uses any more. */
const closedPort = 1

/** Starts the hosting of all webs, over HTTP and TLS on loopback. */
export async function startSites(settings: SitesSettings): Promise<SandboxSites> {
  const authority = await openAuthority(settings.folder, new Date())
  const answer = answerer(settings)
  const plain = createServer(answer)
  const secure = createTlsServer({ SNICallback: certificates(authority) }, answer)
  const stops = [plain, secure].map(closing)
  const [http, tls] = await Promise.all([listen(plain), listen(secure)])
  const refused = (port: number, hosts: readonly string[]) =>
    hosts.map((host) => `${host}:${port}:${loopback}:${closedPort}`)
  return {
    connectTo: [
      ...refused(443, hostsThat('refusing', 'plain')),
      ...refused(80, hostsThat('refusing')),
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
