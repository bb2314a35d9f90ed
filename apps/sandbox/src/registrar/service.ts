import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Catalogue } from './catalogue.ts'

/**
 * How the registrar is: `down` breaks every connection, `errors` answers with nothing but 503, `half` dies in the middle
 * of its second page, `empty` shows nothing.
 */
const modes = ['ok', 'down', 'errors', 'half', 'empty'] as const
type Mode = (typeof modes)[number]

const pageSize = 25

export interface RegistrarService {
  readonly origin: string
  readonly token: string
  readonly catalogue: Catalogue
}

interface Said {
  readonly status: number
  readonly json: object
}

/** Answers every request that comes to the registrar's port. */
export function service(registrar: RegistrarService) {
  let mode: Mode = 'ok'

  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', registrar.origin)
    request.resume()
    const [, health] = /^\/_sandbox\/health\/(\w+)$/.exec(pathname) ?? []
    if (health !== undefined) {
      const wanted = modes.find((one) => one === health)
      if (request.method === 'PUT' && wanted !== undefined) mode = wanted
      send(response, { status: wanted === undefined ? 400 : 200, json: { mode } })
    } else if (mode === 'down') {
      response.destroy()
    } else if (mode === 'errors') {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('Wartung')
    } else if (!isKnown(request.headers.authorization, registrar.token)) {
      send(response, { status: 401, json: { error: 'invalid_token' } })
    } else if (mode === 'half' && searchParams.has('cursor')) {
      dieHalfWay(response)
    } else {
      const list = mode === 'empty' ? [] : listAt(pathname, registrar.catalogue)
      send(
        response,
        list === null || request.method !== 'GET'
          ? { status: 404, json: { error: 'not_found' } }
          : page(list, searchParams.get('cursor'), `${registrar.origin}${pathname}`),
      )
    }
  }
}

function listAt(path: string, { domains, mailboxes }: Catalogue): readonly object[] | null {
  if (path === '/v1/domains') return domains
  return path === '/v1/mailboxes' ? mailboxes : null
}

function page(list: readonly object[], cursor: string | null, address: string): Said {
  const from = positionOf(cursor)
  if (from === null) return { status: 400, json: { error: 'invalid_cursor' } }
  const to = from + pageSize
  return {
    status: 200,
    json: {
      data: list.slice(from, to),
      next: to < list.length ? `${address}?cursor=${cursorOf(to)}` : null,
      total: list.length,
    },
  }
}

/** Nobody is to count on what it looks like. */
const cursorOf = (position: number): string => Buffer.from(`after:${position}`).toString('base64url')

function positionOf(cursor: string | null): number | null {
  if (cursor === null) return 0
  const [, position] = /^after:(\d{1,6})$/.exec(String(Buffer.from(cursor, 'base64url'))) ?? []
  return position === undefined ? null : Number(position)
}

function isKnown(header: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function send(response: ServerResponse, { status, json }: Said): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(json))
}

function dieHalfWay(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
  response.write('{"data": [{"fqdn": "', () => response.destroy())
}
