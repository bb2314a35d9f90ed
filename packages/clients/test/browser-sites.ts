import { once } from 'node:events'
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Credentials } from './probe-certificates.ts'

/** The page or the handler of each path. Other paths do not exist. */
export type Pages = Readonly<
  Record<string, string | ((response: ServerResponse, request: IncomingMessage) => void)>
>

export interface BrowserSites {
  /** Over HTTP and over TLS. */
  readonly ports: { readonly plain: number; readonly secure: number }
  /** Each as `host/path`, in the order of arrival. */
  readonly requests: string[]
  /** Takes one of the fifty hosts for these pages. */
  host(pages: Pages): string
  /** Leads the hosts, and no others, to the servers: those of port 443 over TLS, of all others over HTTP. */
  readonly connectTo: string
  stop(): Promise<void>
}

export const hosts = Array.from({ length: 50 }, (_, index) => `web-${index}.test`)

/** Web servers on real sockets that serve all hosts. */
export async function startBrowserSites(credentials: Credentials): Promise<BrowserSites> {
  const requests: string[] = []
  const pagesByHost = new Map<string, Pages>()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const address = `${request.headers.host ?? ''}${request.url ?? ''}`
    requests.push(address)
    response.on('error', () => response.destroy())
    const pages = pagesByHost.get(request.headers.host ?? '') ?? {}
    const page = pages[request.url?.replace(/\?.*$/, '') ?? '']
    if (typeof page === 'function') return page(response, request)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page ?? '')
  }
  const servers = [createPlain(listener), createSecure(credentials, listener)] as const
  const [plain, secure] = await Promise.all(servers.map(listen))
  return {
    ports: { plain: plain ?? 0, secure: secure ?? 0 },
    requests,
    host(pages) {
      const host = hosts[pagesByHost.size]
      if (host === undefined) throw new Error('There are no more hosts')
      pagesByHost.set(host, pages)
      return host
    },
    connectTo: hosts
      .flatMap((host) => [`${host}:443:127.0.0.1:${secure}`, `${host}::127.0.0.1:${plain}`])
      .join(','),
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
