import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBootstrap, openRdap, type RdapSettings } from '../src/rdap/rdap.ts'

export interface RdapReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A domain object as registries send it. @param expiresAt without an event if undefined */
export const domainObject = (name: string, expiresAt?: string): RdapReply => ({
  body: JSON.stringify({
    objectClassName: 'domain',
    ldhName: name.toUpperCase(),
    status: ['active'],
    events: [
      { eventAction: 'registration', eventDate: '2010-01-01T00:00:00Z' },
      ...(expiresAt === undefined ? [] : [{ eventAction: 'expiration', eventDate: expiresAt }]),
    ],
    entities: [
      {
        objectClassName: 'entity',
        roles: ['registrar'],
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Registrar GmbH'],
          ],
        ],
      },
    ],
  }),
})

/** An RDAP server over real HTTP for the suffixes test and example; domains that are not in its replies are not registered. */
export async function startRdapServer() {
  const state = { replies: {} as Record<string, RdapReply>, requests: [] as string[] }
  const server = createServer((request, response) => {
    const [, name = ''] = /^\/v1\/domain\/(.+)$/.exec(decodeURIComponent(request.url ?? '')) ?? []
    state.requests.push(name)
    const { status = 200, headers = {}, body = '' } = state.replies[name] ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bootstrap = createBootstrap({ services: [[['test', 'example'], [`${origin}/v1`]]] })
  return {
    state,
    origin,
    open: (settings: Partial<RdapSettings> = {}) =>
      openRdap({ bootstrap, allowNetworks: ['127.0.0.0/8'], timeoutMs: 1_000, ...settings }),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
