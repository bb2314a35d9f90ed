import { X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './probe-certificates.ts'

export interface PleskServer {
  /** The SHA-256 fingerprint of its certificate. */
  readonly fingerprint: string
  readonly port: number
  /** The JSON or the handler by method and path; all others are 404. */
  readonly responses: Map<string, unknown | ((response: ServerResponse) => void)>
  /** The API key, method with path, and body of each request. */
  readonly requests: { readonly key: unknown; readonly line: string; readonly body: string }[]
  stop(): Promise<void>
}

/** Starts a panel with configurable responses, over TLS with a self-signed certificate. */
export async function startPleskServer(name: string): Promise<PleskServer> {
  const credentials = await selfSigned({ names: [name] })
  const responses: PleskServer['responses'] = new Map()
  const requests: { key: unknown; line: string; body: string }[] = []
  const server = createServer(credentials, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const line = `${request.method} ${request.url}`
    requests.push({ key: request.headers['x-api-key'], line, body })
    const content = responses.get(line)
    if (typeof content === 'function') return content(response)
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(content ?? { code: 0, message: 'Not found.' }))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    fingerprint: new X509Certificate(credentials.cert).fingerprint256,
    port: (server.address() as AddressInfo).port,
    responses,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
