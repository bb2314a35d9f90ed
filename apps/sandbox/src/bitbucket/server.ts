import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillTemplate, readAsset } from '../assets.ts'
import { replaceFile } from '../files.ts'
import { escapeHtml } from '../html.ts'
import {
  breakConnection,
  createService,
  type Fault,
  HttpError,
  htmlReply,
  jsonReply,
  type Route,
  textReply,
} from '../http-service.ts'
import { listenOnStoredPort, loopback, trackConnections } from '../listen.ts'
import { trialDayTemplate } from './catalogue.ts'
import { createRepositories } from './create-repositories.ts'
import { requireGit } from './git.ts'
import { openRepositories, type Repositories } from './repositories.ts'
import type { Location } from './representation.ts'
import { restRoutes } from './rest-api.ts'
import { serveGit } from './smart-http.ts'

export type SandboxBitbucket = Awaited<ReturnType<typeof startBitbucket>>

const workspace = 'kustos-agentur'

const faults: Readonly<Record<string, Fault>> = {
  down: breakConnection,
  slow: async ({ response }) => {
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    await sleep(8_000, undefined, { signal: closed.signal }).catch(() => undefined)
    return undefined
  },
  // A gateway in front of the service answers in plain text, without the error format.
  'rate-limited': () =>
    textReply('Rate limit for this resource has been exceeded', 429, { 'retry-after': '60' }),
  errors: () => textReply('upstream connect error or disconnect', 503),
}

/**
 * Starts the sandbox's Bitbucket: its REST API below `/2.0`, its repositories for git, and a page for each repository.
 *
 * @param folder stores its repositories, token and port
 * @throws StartError if git is missing
 */
export async function startBitbucket(folder: string, address = loopback) {
  await requireGit()
  await mkdir(folder, { recursive: true })
  const root = join(folder, 'repositories')
  if (!existsSync(root)) await createRepositories(root, new Date())
  const repositories = await openRepositories(root)
  const tokenFile = join(folder, 'token')
  if (!existsSync(tokenFile)) await replaceFile(tokenFile, randomBytes(24).toString('base64url'), 0o600)
  const token = await readFile(tokenFile, 'utf8')
  const server = createServer()
  const stop = trackConnections(server)
  const origin = `http://${address}:${await listenOnStoredPort(server, address, folder)}`
  const location = { origin, workspace }
  const routes = [
    ...restRoutes(repositories, location, token),
    ...gitRoutes(repositories, root),
    pageRoute(repositories, location),
  ]
  const formatError = ({ status, message, details }: HttpError) =>
    jsonReply({ type: 'error', error: { message, ...details } }, status)
  server.on('request', createService({ routes, faults, formatError }))
  return { url: `${origin}/2.0`, workspace, token, trialDayTemplate, stop }
}

/** Anyone on this machine may clone, like a node with its own access key. */
function gitRoutes(repositories: Repositories, root: string): readonly Route[] {
  const calls = [
    ['GET', 'info/refs'],
    ['POST', 'git-upload-pack'],
  ] as const
  return calls.map(([method, path]) => [
    method,
    `/${workspace}/:slug.git/${path}`,
    ({ params: { slug = '' }, url, incoming, response }) => {
      const isRead = method === 'POST' || url.searchParams.get('service') === 'git-upload-pack'
      if (!isRead || repositories.get(slug) === null) throw new HttpError(404, 'Resource not found')
      serveGit({ root, path: `/${slug}.git/${path}`, query: url.search.slice(1) }, incoming, response)
      return null
    },
  ])
}

/** Where the links of Kustos' repository list lead. */
const pageRoute = (repositories: Repositories, { origin }: Location): Route => [
  'GET',
  `/${workspace}/:slug`,
  ({ params }) => {
    const repository = repositories.get(params.slug ?? '')
    if (repository === null) throw new HttpError(404, 'Resource not found')
    const { slug, description, parent } = repository
    return htmlReply(
      fillTemplate(readAsset(import.meta.url, 'repository-page.html'), {
        slug: escapeHtml(slug),
        description: escapeHtml(description),
        origin: parent === null ? 'Not a fork.' : `Forked from ${escapeHtml(parent)}.`,
        cloneUrl: `${origin}/${workspace}/${escapeHtml(slug)}.git`,
      }),
    )
  },
]
