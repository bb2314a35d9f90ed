import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import {
  breakConnection,
  createService,
  type Fault,
  HttpError,
  isSameSecret,
  jsonReply,
  type Route,
  textReply,
} from '../http-service.ts'
import { listen, loopback, trackConnections } from '../listen.ts'
import { createCatalogue } from './catalogue.ts'

export type SandboxRegistrar = Awaited<ReturnType<typeof startRegistrar>>

const pageSize = 25

const faults: Readonly<Record<string, Fault>> = {
  down: breakConnection,
  errors: () => textReply('Wartung', 503),
  // The second page breaks off.
  half: ({ url, response }) => {
    if (!url.searchParams.has('cursor')) return undefined
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"data": [{"fqdn": "', () => response.destroy())
    return null
  },
  empty: () => jsonReply({ data: [], next: null, total: 0 }),
}

/** Starts the registrar's API as packages/clients/src/registrar/schemas.ts describes it. */
export async function startRegistrar(address = loopback) {
  const server = createServer()
  const stop = trackConnections(server)
  const origin = `http://${address}:${await listen(server, address)}`
  const token = randomBytes(24).toString('base64url')
  const listRoute = (path: string, all: readonly object[]): Route => [
    'GET',
    path,
    ({ incoming, url }) => {
      if (!isSameSecret(incoming.headers.authorization ?? '', `Bearer ${token}`))
        throw new HttpError(401, 'invalid_token')
      const from = readCursor(url.searchParams.get('cursor'))
      const to = from + pageSize
      return jsonReply({
        data: all.slice(from, to),
        next: to < all.length ? `${origin}${path}?cursor=${formatCursor(to)}` : null,
        total: all.length,
      })
    },
  ]
  const { domains, mailboxes } = createCatalogue()
  const routes = [listRoute('/v1/domains', domains), listRoute('/v1/mailboxes', mailboxes)]
  const formatError = ({ status, message }: HttpError) => jsonReply({ error: message }, status)
  server.on('request', createService({ routes, faults, formatError }))
  return { url: `${origin}/v1`, token, stop }
}

const formatCursor = (position: number): string => Buffer.from(`after:${position}`).toString('base64url')

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0
  const [, position] = /^after:(\d{1,6})$/.exec(String(Buffer.from(cursor, 'base64url'))) ?? []
  if (position === undefined) throw new HttpError(400, 'invalid_cursor')
  return Number(position)
}
