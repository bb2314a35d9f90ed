import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openRegistrar } from '../src/registrar/registrar.ts'

/** A registrar over real HTTP, two entries per page, and a client with a short timeout. */
export async function startRegistrarServer() {
  const state = {
    domains: [] as readonly object[],
    mailboxes: [] as readonly object[],
    /** How this page of a list and all later ones fail, such as `{list: 'mailboxes', page: 1, status: 503}`. */
    failure: null as
      | { readonly list: string; readonly page: number; readonly status: number }
      | { readonly list: string; readonly page: number; readonly body: string }
      /** The connection breaks in the middle of a response. */
      | { readonly list: string; readonly page: number; readonly dies: true }
      | null,
    /** Awaited before each response. */
    held: null as Promise<void> | null,
    /** Replaces the number of entries; with `isTotalFirst`, on the first page only. */
    total: undefined as number | null | undefined,
    isTotalFirst: false,
    requests: [] as string[],
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    state.requests.push(`${request.headers.authorization} ${url.pathname}${url.search}`)
    if (request.headers.authorization !== 'Bearer secret-token') return response.writeHead(401).end()
    const list = url.pathname.replace('/v1/', '')
    const page = Number(url.searchParams.get('cursor') ?? 0)
    await state.held
    const { failure } = state
    const json = { 'content-type': 'application/json' }
    if (failure !== null && failure.list === list && page >= failure.page) {
      if ('status' in failure) return response.writeHead(failure.status).end()
      if ('body' in failure) return response.writeHead(200, json).end(failure.body)
      response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"data": [')
      setTimeout(() => response.destroy(), 10)
      return
    }
    const entries = list === 'domains' ? state.domains : state.mailboxes
    const next = entries.length > page * 2 + 2 ? `/v1/${list}?cursor=${page + 1}` : null
    const count = state.total === undefined ? entries.length : state.total
    const total = state.isTotalFirst && page > 0 ? undefined : count
    const data = entries.slice(page * 2, page * 2 + 2)
    return response.writeHead(200, json).end(JSON.stringify({ data, next, total, meta: {} }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${origin}/v1`
  const registrar = openRegistrar({ url, token: 'secret-token', timeoutMs: 700, retryDelaysMs: [5] })
  return {
    state,
    url,
    registrar,
    async stop() {
      await registrar.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
