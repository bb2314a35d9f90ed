import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Credentials } from './probe-certificates.ts'
import { startWebServers, type WebServers } from './web-servers.ts'

/** The page or the handler of each path. Other paths do not exist. */
export type Pages = Readonly<
  Record<string, string | ((response: ServerResponse, request: IncomingMessage) => void)>
>

export interface BrowserSites extends WebServers {
  /** Each as `host/path`, in the order of arrival. */
  readonly requests: string[]
  /** Takes one of the fifty hosts for these pages. */
  host(pages: Pages): string
  /** Leads the hosts, and no others, to the servers: those of port 443 over TLS, of all others over HTTP. */
  readonly connectTo: string
}

export const hosts = Array.from({ length: 50 }, (_, index) => `web-${index}.test`)

/** Web servers on real sockets that serve all hosts. */
export async function startBrowserSites(credentials: Credentials): Promise<BrowserSites> {
  const requests: string[] = []
  const pagesByHost = new Map<string, Pages>()
  const listener: RequestListener = (request, response) => {
    const address = `${request.headers.host ?? ''}${request.url ?? ''}`
    requests.push(address)
    response.on('error', () => response.destroy())
    const pages = pagesByHost.get(request.headers.host ?? '') ?? {}
    const page = pages[request.url?.replace(/\?.*$/, '') ?? '']
    if (typeof page === 'function') return page(response, request)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page ?? '')
  }
  const { ports, stop } = await startWebServers(credentials, listener)
  return {
    ports,
    requests,
    host(pages) {
      const host = hosts[pagesByHost.size]
      if (host === undefined) throw new Error('There are no more hosts')
      pagesByHost.set(host, pages)
      return host
    },
    connectTo: hosts
      .flatMap((host) => [`${host}:443:127.0.0.1:${ports.secure}`, `${host}::127.0.0.1:${ports.plain}`])
      .join(','),
    stop,
  }
}
