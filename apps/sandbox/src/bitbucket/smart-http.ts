import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gitEnvironment } from './git.ts'

export interface GitCall {
  /** Such as `website.git`, which is there. */
  readonly repository: string
  readonly service: 'info/refs' | 'git-upload-pack'
  readonly query: string
  /** The folder of repositories. */
  readonly folder: string
}

/**
 * Serves clones and pulls through git's own CGI program (git-http-backend(1)). There is no way to push: nothing of
 * Kustos does.
 */
export function serveGit(call: GitCall, request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...gitEnvironment(),
      GIT_PROJECT_ROOT: call.folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${call.repository}/${call.service}`,
      QUERY_STRING: call.query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: headers['content-type'] ?? '',
      ...(headers['content-length'] !== undefined && { CONTENT_LENGTH: headers['content-length'] }),
      HTTP_CONTENT_ENCODING: String(headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  const fail = () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(500, { 'content-type': 'text/plain' }).end('git http-backend failed')
  }
  child.once('error', fail)
  response.once('close', () => child.kill())
  // Where git has read enough, its exit code tells what to make of it.
  request.pipe(child.stdin.on('error', () => undefined))
  let head = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    child.stdout.off('data', onData)
    writeHead(String(head.subarray(0, end)), response)
    response.write(head.subarray(end + 4))
    child.stdout.pipe(response, { end: false })
  }
  child.stdout.on('data', onData)
  child.once('close', (code) => {
    if (code === 0 && response.headersSent) response.end()
    else fail()
  })
}

/** The headers as a CGI program writes them (RFC 3875), with the status among them. */
function writeHead(head: string, response: ServerResponse): void {
  let status = 200
  for (const line of head.split('\r\n')) {
    const at = line.indexOf(':')
    const [name, value] = [line.slice(0, at), line.slice(at + 1).trim()]
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.writeHead(status)
}
