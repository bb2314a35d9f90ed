import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMode, type Mode, modes, suffer } from './health.ts'
import { page } from './page.ts'
import { partial } from './partial.ts'
import { Refused } from './refused.ts'
import type { Repositories } from './repositories.ts'
import { answer, type Place } from './rest.ts'
import { type GitCall, serveGit } from './smart-http.ts'

export interface Service {
  /** The folder of repositories. */
  readonly root: string
  readonly repositories: Repositories
  readonly token: string
  readonly place: Place
}

/** A body of a fork has some hundred bytes. */
const largestBody = 64 * 1024

/** Answers every request that comes to Bitbucket's port. */
export function service(given: Service): (request: IncomingMessage, response: ServerResponse) => void {
  const { repositories, token, place } = given
  let mode: Mode = 'ok'

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', place.origin)
    if (url.pathname === '/_sandbox/health') {
      if (request.method === 'POST') mode = modeIn(await readJson(request))
      return send(response, 200, { mode })
    }
    if (await suffer(mode, response)) return
    if (url.pathname.startsWith('/2.0/')) return serveRest(url, request, response)
    const git = gitCall(url, given)
    if (git !== null) return serveGit(git, request, response)
    return servePage(url, request, response)
  }

  async function serveRest(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isKnown(request.headers.authorization, token)) {
      throw new Refused(401, 'Token is invalid, expired, or not supported for this endpoint.')
    }
    const { status, json, location } = await answer(
      {
        method: request.method ?? 'GET',
        path: url.pathname.slice('/2.0/'.length).split('/').map(decoded),
        query: url.searchParams,
        body: () => readJson(request),
      },
      repositories,
      place,
    )
    if (location !== undefined) response.setHeader('location', location)
    send(response, status, partial(json, url.searchParams.get('fields')))
  }

  function servePage({ pathname }: URL, request: IncomingMessage, response: ServerResponse): void {
    const [, space, slug = ''] = pathname.split('/').map(decoded)
    const repository = repositories.get(slug)
    if (request.method !== 'GET' || space !== place.workspace || repository === null) {
      throw new Refused(404, 'Resource not found')
    }
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page(repository, `${place.origin}/${space}/${slug}.git`))
  }

  return (request, response) => {
    serve(request, response).catch((error: unknown) => fail(error, response))
  }
}

/** Clones are open to whoever is on this machine, as they are for a node that has an access key of its own. */
function gitCall(
  { pathname, searchParams, search }: URL,
  { root, repositories, place }: Service,
): GitCall | null {
  const [, space, slug = '', called] =
    /^\/([^/]+)\/([^/]+?)\.git\/(info\/refs|git-upload-pack)$/.exec(pathname) ?? []
  if (space !== place.workspace || repositories.get(slug) === null) return null
  const call = { repository: `${slug}.git`, query: search.slice(1), folder: root }
  if (called === 'git-upload-pack') return { ...call, service: called }
  return searchParams.get('service') === 'git-upload-pack' ? { ...call, service: 'info/refs' } : null
}

function modeIn(body: unknown): Mode {
  const mode = typeof body === 'object' && body !== null && 'mode' in body ? body.mode : null
  if (!isMode(mode)) throw new Refused(400, `mode must be one of ${modes.join(', ')}`)
  return mode
}

/** A bearer token, or anybody's e-mail address with it. */
function isKnown(header: string | undefined, token: string): boolean {
  const [scheme = '', value = ''] = header?.split(' ') ?? []
  const basic = () => String(Buffer.from(value, 'base64')).replace(/^[^:]*:/, '')
  const kind = scheme.toLowerCase()
  const given = kind === 'basic' ? basic() : kind === 'bearer' ? value : ''
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refused(400, 'Bad request')
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  // A page of another origin may send other kinds without asking.
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Refused(415, 'Unsupported media type')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestBody) throw new Refused(413, 'Request entity too large')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(String(Buffer.concat(chunks)))
  } catch {
    throw new Refused(400, 'Bad request')
  }
}

function send(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(json))
}

/** In Bitbucket's error envelope. */
function fail(error: unknown, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { status, message, fields } =
    error instanceof Refused
      ? error
      : new Refused(500, error instanceof Error ? error.message : String(error))
  send(response, status, { type: 'error', error: { message, ...(fields && { fields }) } })
}
