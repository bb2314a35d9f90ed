import { projects } from './catalogue.ts'
import type { Repositories, Repository } from './repositories.ts'

export interface Location {
  /** Without a trailing slash. */
  readonly origin: string
  readonly workspace: string
}

/** With microseconds and an explicit offset, as Bitbucket writes times. */
const formatTime = (iso: string): string => iso.replace(/Z$/, '000+00:00')

function summarizeRepository(slug: string, { origin, workspace }: Location) {
  const name = `${workspace}/${slug}`
  return {
    type: 'repository',
    name: slug,
    full_name: name,
    links: {
      self: { href: `${origin}/2.0/repositories/${name}` },
      html: { href: `${origin}/${name}` },
    },
  }
}

export function representRepository(repository: Repository, repositories: Repositories, location: Location) {
  const { origin, workspace } = location
  const { slug, project } = repository
  const summary = summarizeRepository(slug, location)
  const parent = repository.parent === null ? null : repositories.get(repository.parent)
  return {
    ...summary,
    uuid: repository.uuid,
    slug,
    description: repository.description,
    is_private: repository.is_private,
    created_on: formatTime(repository.created_on),
    updated_on: formatTime(repository.updated_on),
    size: repository.size,
    fork_policy: repository.fork_policy,
    project: { type: 'project', key: project, name: projects.get(project) ?? project },
    workspace: { type: 'workspace', slug: workspace },
    ...(parent && { parent: summarizeRepository(parent.slug, location) }),
    links: {
      ...summary.links,
      clone: [
        { name: 'https', href: `${origin}/${workspace}/${slug}.git` },
        { name: 'ssh', href: `git@bitbucket.test:${workspace}/${slug}.git` },
      ],
    },
  }
}
