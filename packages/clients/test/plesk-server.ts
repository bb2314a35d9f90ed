import { X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './probe-certificates.ts'

export interface PleskServer {
  /** Certificate's SHA-256 fingerprint. */
  readonly fingerprint: string
  readonly port: number
  /** Says what it answers, by method and path; without one it is 404. */
  readonly answers: Map<string, unknown | ((response: ServerResponse) => void)>
  /** What came in: the API key, method, path and body. */
  readonly asked: { readonly key: unknown; readonly line: string; readonly body: string }[]
  stop(): Promise<void>
}

/** Starts a panel that says what it is told to, over TLS with a certificate of its own. */
export async function startPleskServer(name: string): Promise<PleskServer> {
  const credentials = await selfSigned({ names: [name] })
  const answers: PleskServer['answers'] = new Map()
  const asked: { key: unknown; line: string; body: string }[] = []
  const server = createServer(credentials, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const line = `${request.method} ${request.url}`
    asked.push({ key: request.headers['x-api-key'], line, body })
    const said = answers.get(line)
    if (typeof said === 'function') return said(response)
    response.writeHead(said === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(said ?? { code: 0, message: 'Not found.' }))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    fingerprint: new X509Certificate(credentials.cert).fingerprint256,
    port: (server.address() as AddressInfo).port,
    answers,
    asked,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
