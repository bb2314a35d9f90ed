import { once } from 'node:events'
import { createServer as createPlain, type RequestListener, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Credentials } from './probe-certificates.ts'

export interface WebServers {
  /** Over HTTP and over TLS. */
  readonly ports: { readonly plain: number; readonly secure: number }
  stop(): Promise<void>
}

/** Starts web servers on real sockets of this machine. */
export async function startWebServers(
  credentials: Credentials,
  listener: RequestListener,
): Promise<WebServers> {
  const servers = [createPlain(listener), createSecure(credentials, listener)] as const
  const [plain, secure] = await Promise.all(servers.map(listen))
  return {
    ports: { plain: plain ?? 0, secure: secure ?? 0 },
    async stop() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
