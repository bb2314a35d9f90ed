import { buildRepositoryName } from '@kustos/contract/bitbucket'

/** The agency names its repositories after TYPO3 releases; older webs have none. */
const prefixes: readonly (readonly [release: string, prefix: string])[] = [
  ['TYPO3 13.4.', 'web134-'],
  ['TYPO3 12.4.', 'web124-'],
  ['TYPO3 11.5.', 'web115-'],
]

/** Bitbucket's limit. */
const maxLength = 62

/**
 * The repository that a web of the sandbox is deployed from.
 * @param framework name and version, such as `TYPO3 12.4.31`
 */
export function sandboxRepositoryName(fqdn: string, framework: string | null): string | null {
  const prefix = prefixes.find(([release]) => framework?.startsWith(release))?.[1]
  if (prefix === undefined) return null
  const name = buildRepositoryName(prefix, fqdn.replace(/^www\./, ''))
  // Slugs have no accents.
  const slug = name.normalize('NFD').replace(/\p{M}/gu, '')
  return slug.length > maxLength ? null : slug
}
