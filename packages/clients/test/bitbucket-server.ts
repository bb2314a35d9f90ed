import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBitbucket } from '../src/bitbucket/index.ts'

/** The properties of a repository that tests choose. */
export interface RepositoryFixture {
  readonly name: string
  readonly project?: string
  readonly description?: string
  readonly created_on?: Date
}

/** Bitbucket's repositories over real HTTP, two per page, and a client with a short timeout. */
export async function startBitbucketServer() {
  const state = {
    repositories: [] as readonly RepositoryFixture[],
    /** The error status of this page and all later ones. */
    failure: null as { readonly status: number; readonly page: number } | null,
    /** Awaited before each response. */
    held: null as Promise<void> | null,
    /** How often the first page was requested. */
    listRequests: 0,
  }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const json = { 'content-type': 'application/json' }
    if (request.headers.authorization !== 'Bearer secret-token') return void response.writeHead(401).end()
    const [, workspace, slug] = /^\/2\.0\/repositories\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? []
    if (workspace !== 'agency') return void response.writeHead(404, json).end('{"type": "error"}')
    if (slug !== undefined) {
      const found = state.repositories.find(({ name }) => name === slug)
      return void response.writeHead(found ? 200 : 404, json).end(found && JSON.stringify(present(found)))
    }
    const page = Number(searchParams.get('after') ?? 0)
    if (page === 0) state.listRequests++
    const { repositories, failure } = state
    await state.held
    if (failure !== null && page >= failure.page) {
      response.writeHead(failure.status).end()
      return
    }
    const values = repositories.slice(page * 2, page * 2 + 2).map(present)
    const next =
      repositories.length > page * 2 + 2 ? `${origin}/2.0/repositories/agency?after=${page + 1}` : undefined
    response.writeHead(200, json).end(JSON.stringify({ values, next }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** @param totalTimeoutMs of a request including its retries */
  const open = (totalTimeoutMs: number) =>
    openBitbucket({ url: `${origin}/2.0`, workspace: 'agency', credentials: 'secret-token', totalTimeoutMs })
  const bitbucket = open(500)
  return {
    state,
    url: `${origin}/2.0`,
    bitbucket,
    open,
    async stop() {
      await bitbucket.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

function present({
  name,
  project = 'TP',
  description = '',
  created_on = new Date('2025-01-01T00:00:00Z'),
}: RepositoryFixture) {
  const html = `https://bitbucket.test/agency/${name}`
  return {
    slug: name,
    full_name: `agency/${name}`,
    description,
    fork_policy: 'no_public_forks',
    project: { key: project, name: `Project ${project}` },
    created_on: created_on.toISOString(),
    updated_on: '2025-06-01T00:00:00.000000+00:00',
    links: { html: { href: html }, clone: [{ name: 'https', href: `${html}.git` }] },
  }
}
