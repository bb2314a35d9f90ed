import { z } from 'zod'
import { defineGrid } from './grid/columns.ts'
import { route } from './route.ts'
import { id, timestamp } from './text.ts'

/** A source repository, as Bitbucket Cloud describes it. */
export const repository = z
  .object({
    /** The slug. */
    name: z.string(),
    project: z.object({ name: z.string(), key: z.string() }),
    description: z.string(),
    updated_on: timestamp,
    created_on: timestamp,
    links: z.object({ html: z.object({ href: z.string() }) }),
    /** The active web deployed from it [+]. */
    web: z.object({ id, fqdn: z.string() }).nullable(),
    /** When the dump for forks was created [+]; null without one. */
    kick_dumped_at: timestamp.nullable(),
  })
  .meta({ id: 'Repository' })
export type Repository = z.output<typeof repository>

/** The age of a list in whole seconds while its source is unreachable. */
export const staleHeader = 'x-kustos-stale'

/** The project that may be forked from (specification, section 9). */
export const forkableProject = 'TP'
const forkablePrefixes = ['web134', 'web124', 'web115'] as const

/** Two generations with four variants each (specification, section 9). */
export const kickstarters: readonly string[] = ['web134', 'web124'].flatMap((generation) =>
  ['base', 'erfolg', 'lp_jobs', 'lp_v2'].map((variant) => `${generation}-kickstarter-${variant}`),
)

/** Whether the fork form offers a repository. Kickstarters have a form of their own. */
export const isForkable = ({ name, project }: Pick<Repository, 'name' | 'project'>): boolean =>
  project.key === forkableProject && forkablePrefixes.some((prefix) => name.startsWith(prefix))

const spelled: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Lower case with umlauts spelled out (ä as ae), for Bitbucket and file systems. */
export const transliterate = (text: string): string =>
  text.toLowerCase().replace(/[äöüß]/g, (letter) => spelled[letter] ?? letter)

/**
 * The name of a fork: the source's name up to "kickstarter", then the domain. Of a web's repository only the generation
 * is kept, such as `web134-`.
 */
export function buildRepositoryName(source: string, domain: string): string {
  const at = source.indexOf('kickstarter')
  const prefix = at === -1 ? source.slice(0, source.indexOf('-') + 1) : source.slice(0, at)
  return prefix + transliterate(domain)
}

export const repositoryColumns = defineGrid<Repository>({
  name: 'repositories',
  primaryColumns: ['name', 'updated_on'],
  columns: [
    { key: 'name', kind: 'text', isMonospaced: true, width: 280 },
    { key: 'project', kind: 'text', width: 160, value: (row) => row.project.name },
    { key: 'description', kind: 'text', width: 250 },
    { key: 'updated_on', kind: 'date', width: 170 },
    { key: 'created_on', kind: 'date', width: 170 },
    { key: 'link', kind: 'text', width: 90, value: (row) => row.links.html.href },
  ],
})

export const bitbucketRoutes = {
  listRepositories: route('GET', '/api/bitbucket', {
    summary: `All repositories of the workspace, from a cache. \`${staleHeader}\` is its age in seconds while Bitbucket is unreachable.`,
    access: { any: ['view bitbucket'] },
    response: z.array(repository),
    errors: [502],
  }),
} as const
