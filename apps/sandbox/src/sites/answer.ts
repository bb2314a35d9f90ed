import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { behaviourOf, delayOf, statusOf } from '../seed/behaviours.ts'
import { fileIn, folderOf } from './folders.ts'
import { type HostedWeb, pageOf } from './page.ts'
import { openVendors, type Vendors } from './vendors.ts'

export interface Sites {
  /** Holds a folder for each node; what is deployed there comes before the pages of `webs`. */
  readonly nodesFolder: string
  /** By their ASCII names. */
  readonly webs: ReadonlyMap<string, HostedWeb>
}

/** Answers what comes to the ports of the hosted sites: the Host header says which one is asked. */
export function answerer(sites: Sites): (request: IncomingMessage, response: ServerResponse) => void {
  const vendors = openVendors(sites.webs)
  return (request, response) => {
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
    behave({ ...sites, vendors }, host, request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else text(response, 500, 'This page cannot be read.')
    })
  }
}

interface World extends Sites {
  readonly vendors: Vendors
}

async function behave(sites: World, host: string, request: IncomingMessage, response: ServerResponse) {
  const behaviour = behaviourOf(host)
  if (behaviour.kind === 'silent') return
  if (!(await waited(delayOf(host), response))) return
  if (behaviour.kind === 'endless') return writeForEver(response)
  if (behaviour.kind === 'redirecting') return redirect(response, behaviour.status, behaviour.to)
  const status = statusOf(behaviour, new Date())
  if (status !== null && status >= 400) return text(response, status, sentences[status] ?? 'Error')
  return show(sites, host, request, response)
}

/** @returns false where whoever asked has gone meanwhile */
async function waited(milliseconds: number, response: ServerResponse): Promise<boolean> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  response.once('close', leave)
  await sleep(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined)
  response.off('close', leave)
  return !gone.signal.aborted
}

async function show(
  { nodesFolder, webs, vendors }: World,
  host: string,
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
) {
  const root = await folderOf(nodesFolder, host)
  if (root !== null) {
    const file = await fileIn(root, url)
    if (file === null) return text(response, 404, 'There is no such page.')
    return send(response, 200, file.type, file.content)
  }
  const vendor = vendors.answer(host, url)
  if (vendor !== null) return send(response, 200, vendor.type, vendor.body)
  const web = webs.get(host)
  if (web === undefined) return text(response, 404, 'There is no such web here.')
  if (!/^\/(\?|$)/.test(url)) return text(response, 404, 'There is no such page.')
  return send(response, 200, 'text/html; charset=utf-8', pageOf(web))
}

const sentences: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Oops, an error occurred! Code: 20261104073012a1b2c3d4',
  503: 'The site is temporarily unavailable for maintenance.',
}

function redirect(response: ServerResponse, status: number, to: string): void {
  // Headers are ASCII, and so is a URL that has been read.
  response.setHeader('location', URL.canParse(to) ? new URL(to).href : to)
  text(response, status, 'Moved')
}

const text = (response: ServerResponse, status: number, line: string) =>
  send(response, status, 'text/plain; charset=utf-8', `${line}\n`)

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

const chunk = Buffer.alloc(16 * 1024, 'Das Bild der Kamera kommt gleich. ')

/** As fast as it is read. */
function writeForEver(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write)
  write()
}
