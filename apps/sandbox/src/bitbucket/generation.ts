import { repositoryFor } from '@kustos/contract/bitbucket'

/** The agency names its repositories after TYPO3's releases; older webs never made it into one. */
const generations: readonly (readonly [release: string, prefix: string])[] = [
  ['TYPO3 13.4.', 'web134-'],
  ['TYPO3 12.4.', 'web124-'],
  ['TYPO3 11.5.', 'web115-'],
]

/** As long as Bitbucket lets a name be. */
const longest = 62

/**
 * The repository that a web of the sandbox is deployed from.
 * @param framework name and version, such as `TYPO3 12.4.31`
 */
export function repositoryOf(fqdn: string, framework: string | null): string | null {
  const prefix = generations.find(([release]) => framework?.startsWith(release))?.[1]
  if (prefix === undefined) return null
  const name = plain(repositoryFor(prefix, fqdn.replace(/^www\./, '')))
  return name.length > longest ? null : name
}

/** Without accents, which no slug has: è as e. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')
