import { forkableProject, kickstarters } from '@kustos/contract/bitbucket'
import { regularWebs, specialWebs } from '../seed/agency.ts'
import data from './repositories.json' with { type: 'json' }
import { sandboxRepositoryName } from './repository-name.ts'

export const trialDayTemplate = 'schnuppertag-kickstarter'
const toolTemplate = 'werkzeug'
/** Repositories with content of their own; all others are copies of one of them. */
export const templates: readonly string[] = [...kickstarters, trialDayTemplate, toolTemplate]

/** Project names by their keys. */
export const projects: ReadonlyMap<string, string> = new Map([
  [forkableProject, 'TP-Projekte'],
  ...data.otherProjects.map(({ key, name }) => [key, name] as const),
])

export interface SeedRepository {
  readonly slug: string
  readonly project: string
  readonly description: string
  /** The repository whose files it contains. */
  readonly template: string
  /** The slug of the repository that it was forked from. */
  readonly parent: string | null
  readonly forkPolicy: string
}

const website = (slug: string, description: string, more: Partial<SeedRepository> = {}): SeedRepository => ({
  slug,
  project: forkableProject,
  description,
  template: slug,
  parent: null,
  forkPolicy: 'no_public_forks',
  ...more,
})

function kickstarter(slug: string): SeedRepository {
  const [generation, variant = ''] = slug.split('-kickstarter-')
  const descriptions: Readonly<Record<string, string>> = data.kickstarters
  return website(slug, `Kickstarter ${generation}: ${descriptions[variant] ?? variant}`)
}

/** Forked from the kickstarter of its generation; the oldest generation no longer has one. */
function fork(slug: string, description: string): SeedRepository {
  const kickstarterOfGeneration = `${slug.slice(0, 6)}-kickstarter-base`
  const parent = kickstarters.includes(kickstarterOfGeneration) ? kickstarterOfGeneration : null
  return website(slug, description, { template: parent ?? 'web124-kickstarter-base', parent })
}

/** More than a hundred repositories, so that Bitbucket's list has a second page. */
export const seedRepositories = (): SeedRepository[] => [
  ...kickstarters.map(kickstarter),
  website(trialDayTemplate, 'Vorlage für den Schnuppertag'),
  ...[...regularWebs, ...specialWebs].flatMap(({ fqdn, framework }) => {
    const slug = sandboxRepositoryName(fqdn, framework ?? null)
    return slug === null ? [] : [fork(slug, `Website ${fqdn}`)]
  }),
  ...data.websitesUnderConstruction.map((slug) => fork(slug, `Website ${slug.slice(7)}, im Aufbau`)),
  ...data.otherProjects.flatMap(({ key, description, forkPolicy, repositories }) =>
    repositories.map((slug) =>
      website(slug, description, { project: key, template: toolTemplate, forkPolicy }),
    ),
  ),
]
