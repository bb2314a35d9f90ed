import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { loopback } from '../listen.ts'
import { gitEnvironment } from './git.ts'

export interface GitCall {
  /** The folder of repositories. */
  readonly root: string
  readonly path: string
  readonly query: string
}

/** Serves clones and pulls through git's own CGI program (git-http-backend(1)). */
export function serveGit(
  { root, path, query }: GitCall,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const { headers } = incoming
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...gitEnvironment(),
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: incoming.method ?? 'GET',
      CONTENT_TYPE: headers['content-type'] ?? '',
      ...(headers['content-length'] !== undefined && { CONTENT_LENGTH: headers['content-length'] }),
      HTTP_CONTENT_ENCODING: String(headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      REMOTE_ADDR: loopback,
    },
  })
  const fail = () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(500, { 'content-type': 'text/plain' }).end('git http-backend failed')
  }
  child.once('error', fail)
  response.once('close', () => child.kill())
  // Git may exit before it has read everything; its exit code decides.
  incoming.pipe(child.stdin.on('error', () => undefined))
  let head = Buffer.alloc(0)
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    child.stdout.off('data', readHead)
    writeHead(String(head.subarray(0, end)), response)
    response.write(head.subarray(end + 4))
    child.stdout.pipe(response, { end: false })
  }
  child.stdout.on('data', readHead)
  child.once('close', (code) => {
    if (code === 0 && response.headersSent) response.end()
    else fail()
  })
}

/** A CGI program writes the status as one of the headers (RFC 3875). */
function writeHead(head: string, response: ServerResponse): void {
  let status = 200
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()]
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.writeHead(status)
}
