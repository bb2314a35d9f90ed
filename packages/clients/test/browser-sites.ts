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

/** What answers at a path: a page, or whatever it does. Nothing is at the others. */
export type Answers = Readonly<
  Record<string, string | ((response: ServerResponse, request: IncomingMessage) => void)>
>

export interface BrowserSites {
  /** Plain and, where there are credentials, over TLS. */
  readonly ports: { readonly plain: number; readonly secure: number }
  /** Each as `host/path`, in the order in which they came. */
  readonly asked: string[]
  /** A host of its own that answers so; there are fifty. */
  host(answers: Answers): string
  /** For CONNECT_TO: the hosts, and no other one. */
  readonly connectTo: string
  stop(): Promise<void>
}

/** The hosts that there are, for certificates. */
export const hosts = Array.from({ length: 50 }, (_, index) => `web-${index}.test`)

/** Web servers on real sockets that are all hosts at once. */
export async function startBrowserSites(credentials: Credentials): Promise<BrowserSites> {
  const asked: string[] = []
  const given = new Map<string, Answers>()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const place = `${request.headers.host ?? ''}${request.url ?? ''}`
    asked.push(place)
    response.on('error', () => response.destroy())
    const answers = given.get(request.headers.host ?? '') ?? {}
    const answer = answers[request.url?.replace(/\?.*$/, '') ?? '']
    if (typeof answer === 'function') return answer(response, request)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(answer ?? '')
  }
  const servers = [createPlain(listener), createSecure(credentials, listener)] as const
  const [plain, secure] = await Promise.all(servers.map(listening))
  return {
    ports: { plain: plain ?? 0, secure: secure ?? 0 },
    asked,
    host(answers) {
      const host = hosts[given.size]
      if (host === undefined) throw new Error('There are no more hosts')
      given.set(host, answers)
      return host
    },
    connectTo: hosts
      .flatMap((host) => [`${host}:80:127.0.0.1:${plain}`, `${host}:443:127.0.0.1:${secure}`])
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

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
