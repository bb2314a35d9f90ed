import { randomUUID } from 'node:crypto'
import {
  type Handler,
  HttpError,
  isJsonObject,
  isSameSecret,
  type JsonObject,
  jsonReply,
  type Route,
  readJsonObject,
  type ServiceRequest,
} from '../http-service.ts'
import { projects } from './catalogue.ts'
import { selectFields } from './partial-response.ts'
import type { Repositories, Repository } from './repositories.ts'
import { type Location, representRepository } from './representation.ts'

/** The part of Bitbucket Cloud's REST API 2.0 that Kustos uses. */
export function restRoutes(repositories: Repositories, location: Location, token: string): readonly Route[] {
  const represent = (repository: Repository) => representRepository(repository, repositories, location)

  function listPage({ searchParams: query, pathname }: URL) {
    const all = repositories.all()
    const pagelen = Number(query.get('pagelen') ?? 10)
    if (!Number.isInteger(pagelen) || pagelen < 1 || pagelen > 100)
      throw new HttpError(400, 'Invalid pagelen')
    const page = Number(Buffer.from(query.get('ctx') ?? '', 'base64url').toString() || 1)
    if (!Number.isInteger(page) || page < 1) throw new HttpError(400, 'Invalid page')
    const next = new URLSearchParams(query)
    next.set('ctx', Buffer.from(String(page + 1)).toString('base64url'))
    const list = {
      values: all.slice((page - 1) * pagelen, page * pagelen).map(represent),
      size: all.length,
      ...(page * pagelen < all.length && { next: `${location.origin}${pathname}?${next}` }),
    }
    return jsonReply(selectFields(list, query.get('fields')))
  }

  function findRepository({ params }: ServiceRequest): Repository {
    const repository = repositories.get(params.slug ?? '')
    if (repository === null)
      throw new HttpError(
        404,
        'You may not have access to this repository or it no longer exists in this workspace.',
      )
    return repository
  }

  const authorized =
    (handle: Handler): Handler =>
    (request) => {
      if (!isSameSecret(readToken(request.incoming.headers.authorization), token))
        throw new HttpError(401, 'Token is invalid, expired, or not supported for this endpoint.')
      const { workspace } = request.params
      if (workspace !== location.workspace)
        throw new HttpError(404, `No workspace with identifier '${workspace}'.`)
      return handle(request)
    }

  const routes: readonly Route[] = [
    ['GET', '', ({ url }) => listPage(url)],
    [
      'GET',
      '/:slug',
      (request) =>
        jsonReply(selectFields(represent(findRepository(request)), request.url.searchParams.get('fields'))),
    ],
    [
      'POST',
      '/:slug/forks',
      async (request) => {
        const source = findRepository(request)
        const body = await readJsonObject(request.incoming)
        if (body === null) throw new HttpError(400, 'Bad request')
        const fork = await repositories.fork(source, describeFork(source, body, location.workspace))
        if (fork === null)
          throw new HttpError(400, 'Repository with this Slug and Owner already exists.', {
            fields: { name: ['You already have a repository with this name.'] },
          })
        const representation = represent(fork)
        return jsonReply(representation, 201, { location: representation.links.self.href })
      },
    ],
  ]
  return routes.map(([method, path, handle]) => [
    method,
    `/2.0/repositories/:workspace${path}`,
    authorized(handle),
  ])
}

/** The token of a bearer, or the password of basic authentication with any e-mail address. */
function readToken(header = ''): string {
  const [scheme = '', value = ''] = header.split(' ')
  if (scheme.toLowerCase() === 'bearer') return value
  return scheme.toLowerCase() === 'basic' ? String(Buffer.from(value, 'base64')).replace(/^[^:]*:/, '') : ''
}

function describeFork(source: Repository, body: JsonObject, workspace: string): Repository {
  if (source.fork_policy === 'no_forks') throw new HttpError(403, 'This repository does not allow forks.')
  if (source.fork_policy === 'no_public_forks' && body.is_private === false)
    throw new HttpError(400, 'This repository does not allow public forks.')
  const target = readText(body.workspace, 'slug') ?? workspace
  if (target !== workspace) throw new HttpError(403, `You may not create repositories in '${target}'.`)
  const project = readText(body.project, 'key') ?? source.project
  if (!projects.has(project))
    throw new HttpError(400, 'Invalid project', { fields: { project: ['Invalid project'] } })
  const now = new Date().toISOString()
  return {
    uuid: `{${randomUUID()}}`,
    slug: slugify(readText(body, 'name') ?? source.slug),
    project,
    description: readText(body, 'description') ?? source.description,
    parent: source.slug,
    fork_policy: readText(body, 'fork_policy') ?? source.fork_policy,
    is_private: body.is_private !== false,
    size: source.size,
    created_on: now,
    updated_on: now,
  }
}

function readText(object: unknown, key: string): string | null {
  const value = isJsonObject(object) ? object[key] : null
  return typeof value === 'string' ? value : null
}

function slugify(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
  if (slug === '') throw new HttpError(400, 'Bad request', { fields: { name: ['This field is required.'] } })
  if (slug.length > 62)
    throw new HttpError(400, 'Bad request', { fields: { name: ['At most 62 characters are allowed.'] } })
  return slug
}
