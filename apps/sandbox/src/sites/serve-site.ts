import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBehaviour, getStatus, responseDelayMs } from '../seed/behaviours.ts'
import { findDeployedFolder, readDeployedFile } from './deployed-files.ts'
import { type HostedWeb, renderSitePage } from './page.ts'
import { readSitePage } from './site-pages.ts'
import { createVendors } from './vendors.ts'

export interface Sites {
  /** Has a folder for each node; what is deployed there takes precedence over the pages of `webs`. */
  readonly nodesFolder: string
  /** By their ASCII names. */
  readonly webs: ReadonlyMap<string, HostedWeb>
}

const errorTexts: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Oops, an error occurred! Code: 20261104073012a1b2c3d4',
  503: 'The site is temporarily unavailable for maintenance.',
}

/** A listener for the servers of all hosted sites; the Host header selects the site. */
export function createSiteListener({ nodesFolder, webs }: Sites) {
  const vendors = createVendors(webs)

  async function serve(host: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const behaviour = findBehaviour(host)
    if (behaviour.kind === 'silent') return
    if (!(await delay(responseDelayMs(host), response))) return
    if (behaviour.kind === 'endless') return writeEndlessly(response)
    if (behaviour.kind === 'blank') return send(response, 200, 'text/html; charset=utf-8', '')
    if (behaviour.kind === 'saying') return sendText(response, 200, behaviour.text)
    if (behaviour.kind === 'without-head' && request.method === 'HEAD')
      return sendText(response, 405, 'Method Not Allowed')
    if (behaviour.kind === 'redirecting') {
      // Headers are ASCII, and so is a parsed URL.
      const location = URL.canParse(behaviour.to) ? new URL(behaviour.to).href : behaviour.to
      response.setHeader('location', location)
      return sendText(response, behaviour.status, 'Moved')
    }
    const status = getStatus(behaviour, new Date())
    if (status !== null && status >= 400) return sendText(response, status, errorTexts[status] ?? 'Error')
    return serveContent(host, request.url ?? '/', response)
  }

  async function serveContent(host: string, path: string, response: ServerResponse): Promise<void> {
    const folder = await findDeployedFolder(nodesFolder, host)
    if (folder !== null) {
      const file = await readDeployedFile(folder, path)
      if (file === null) return sendText(response, 404, 'There is no such page.')
      return send(response, 200, file.type, file.content)
    }
    const fromVendor = vendors.respond(host, path)
    if (fromVendor !== null) return send(response, 200, fromVendor.type, fromVendor.body)
    const web = webs.get(host)
    if (web === undefined) return sendText(response, 404, 'There is no such website.')
    const isFront = /^\/(\?|$)/.test(path)
    const content = isFront ? undefined : readSitePage(host, path)
    if (content === null) return sendText(response, 404, 'There is no such page.')
    return send(response, 200, 'text/html; charset=utf-8', renderSitePage(web, content))
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
    serve(host, request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else sendText(response, 500, 'This page cannot be read.')
    })
  }
}

/** @returns false if the client has disconnected */
async function delay(milliseconds: number, response: ServerResponse): Promise<boolean> {
  const closed = new AbortController()
  const abort = () => closed.abort()
  response.once('close', abort)
  await sleep(milliseconds, undefined, { signal: closed.signal }).catch(() => undefined)
  response.off('close', abort)
  return !closed.signal.aborted
}

const sendText = (response: ServerResponse, status: number, line: string) =>
  send(response, status, 'text/plain; charset=utf-8', `${line}\n`)

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

const chunk = Buffer.alloc(16 * 1024, 'Das Bild der Kamera kommt gleich. ')

/** As fast as the client reads. */
function writeEndlessly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write)
  write()
}
