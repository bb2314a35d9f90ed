import { randomUUID } from 'node:crypto'
import { type ProjectKey, projects } from './catalogue.ts'
import { filtered, paged, sorted } from './collection.ts'
import { Refused } from './refused.ts'
import type { Kept, Repositories } from './repositories.ts'

export interface Place {
  /** Without a slash at the end. */
  readonly origin: string
  readonly workspace: string
}

export interface Asked {
  readonly method: string
  /** Below `/2.0`, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: () => Promise<unknown>
}

export interface Answered {
  readonly status: number
  readonly json: ReturnType<typeof present> | ReturnType<typeof presentPage>
  readonly location?: string
}

/** Bitbucket Cloud's REST 2.0 as far as Kustos goes. @throws Refused */
export async function answer(asked: Asked, repositories: Repositories, place: Place): Promise<Answered> {
  const { method, path, query } = asked
  const [collection, workspace, slug, forks, ...more] = path
  if (collection !== 'repositories' || workspace === undefined || more.length > 0) throw nothing
  if (workspace !== place.workspace) throw new Refused(404, `No workspace with identifier '${workspace}'.`)
  const address = `${place.origin}/2.0/${path.map(encodeURIComponent).join('/')}`
  const listOf = (all: readonly Kept[]): Answered => {
    const chosen = sorted(filtered(all, query.get('q')), query.get('sort'))
    return { status: 200, json: presentPage(paged(chosen, query, address), repositories, place) }
  }
  if (slug === undefined) {
    if (method !== 'GET') throw notAllowed
    return listOf(repositories.all())
  }
  const repository = repositories.get(slug)
  if (repository === null) {
    throw new Refused(
      404,
      `You may not have access to this repository or it no longer exists in this workspace.`,
    )
  }
  if (forks === undefined) {
    if (method !== 'GET') throw notAllowed
    return { status: 200, json: present(repository, repositories, place) }
  }
  if (forks !== 'forks') throw nothing
  if (method === 'GET') return listOf(repositories.all().filter(({ parent }) => parent === slug))
  if (method !== 'POST') throw notAllowed
  const fork = await makeFork(repository, await asked.body(), repositories, place)
  const json = present(fork, repositories, place)
  return { status: 201, json, location: json.links.self.href }
}

const nothing = new Refused(404, 'Resource not found')
const notAllowed = new Refused(405, 'Method not allowed')

async function makeFork(
  source: Kept,
  body: unknown,
  repositories: Repositories,
  place: Place,
): Promise<Kept> {
  const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (source.fork_policy === 'no_forks') throw new Refused(403, 'This repository does not allow forks.')
  if (source.fork_policy === 'no_public_forks' && said.is_private === false) {
    throw new Refused(400, 'This repository does not allow public forks.')
  }
  const target = member(said.workspace, 'slug') ?? place.workspace
  if (target !== place.workspace) throw new Refused(403, `You may not create repositories in '${target}'.`)
  const project = member(said.project, 'key') ?? source.project
  if (!isProject(project)) throw new Refused(400, 'Invalid project', { project: ['Invalid project'] })
  const slug = slugOf(textOf(said.name) ?? source.slug)
  if (slug === '') throw new Refused(400, 'Bad request', { name: ['This field is required.'] })
  if (slug.length > 62)
    throw new Refused(400, 'Bad request', { name: ['At most 62 characters are allowed.'] })
  const now = new Date().toISOString()
  const fork = await repositories.fork(source, {
    uuid: `{${randomUUID()}}`,
    slug,
    project,
    description: textOf(said.description) ?? source.description,
    parent: source.slug,
    fork_policy: textOf(said.fork_policy) ?? source.fork_policy,
    is_private: said.is_private !== false,
    size: source.size,
    created_on: now,
    updated_on: now,
  })
  if (fork !== null) return fork
  throw new Refused(400, 'Repository with this Slug and Owner already exists.', {
    name: ['You already have a repository with this name.'],
  })
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const member = (value: unknown, key: string): string | null =>
  typeof value === 'object' && value !== null ? textOf((value as Record<string, unknown>)[key]) : null

const isProject = (key: string): key is ProjectKey => Object.hasOwn(projects, key)

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')

/** With microseconds and a written-out offset. */
const time = (iso: string): string => iso.replace(/Z$/, '000+00:00')

function condensed(slug: string, { origin, workspace }: Place) {
  const full = `${workspace}/${slug}`
  return {
    type: 'repository',
    name: slug,
    full_name: full,
    links: {
      self: { href: `${origin}/2.0/repositories/${full}` },
      html: { href: `${origin}/${full}` },
      avatar: { href: `${origin}/avatars/${slug}` },
    },
  }
}

function present(kept: Kept, repositories: Repositories, place: Place) {
  const { origin, workspace } = place
  const short = condensed(kept.slug, place)
  const below = (name: string) => ({ href: `${short.links.self.href}/${name}` })
  const owner = { type: 'workspace', slug: workspace, name: workspace, links: {} }
  const parent = kept.parent === null ? null : repositories.get(kept.parent)
  return {
    ...short,
    uuid: kept.uuid,
    slug: kept.slug,
    description: kept.description,
    is_private: kept.is_private,
    scm: 'git',
    created_on: time(kept.created_on),
    updated_on: time(kept.updated_on),
    size: kept.size,
    language: 'php',
    fork_policy: kept.fork_policy,
    has_issues: false,
    has_wiki: false,
    mainbranch: { type: 'branch', name: 'main' },
    project: {
      type: 'project',
      key: kept.project,
      name: isProject(kept.project) ? projects[kept.project] : kept.project,
      links: { html: { href: `${origin}/${workspace}/workspace/projects/${kept.project}` } },
    },
    workspace: owner,
    owner: { type: 'team', username: workspace, display_name: workspace },
    ...(parent && { parent: condensed(parent.slug, place) }),
    links: {
      ...short.links,
      pullrequests: below('pullrequests'),
      commits: below('commits'),
      forks: below('forks'),
      watchers: below('watchers'),
      downloads: below('downloads'),
      hooks: below('hooks'),
      clone: [
        { name: 'https', href: `${origin}/${workspace}/${kept.slug}.git` },
        { name: 'ssh', href: `git@bitbucket.test:${workspace}/${kept.slug}.git` },
      ],
    },
  }
}

function presentPage(page: ReturnType<typeof paged>, repositories: Repositories, place: Place) {
  const { next, values, ...envelope } = page
  return {
    ...envelope,
    values: values.map((kept) => present(kept, repositories, place)),
    ...(next !== null && { next }),
  }
}
