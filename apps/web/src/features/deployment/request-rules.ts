import { buildRepositoryName, type Repository, transliterate } from '@kustos/contract/bitbucket'
import { futureDomain, trialDayForm, trialDayPrefix } from '@kustos/contract/deployment'
import { issue } from '@kustos/contract/messages'

/** The repository and host name that a request would create. */
export function outcomeOf(source: string, domain: string) {
  const parsed = futureDomain.safeParse(domain)
  if (!parsed.success) return { repository: null, fqdn: null }
  return { repository: source === '' ? null : buildRepositoryName(source, parsed.data), fqdn: parsed.data }
}

/** The names of a trial-day web; null while the codename is invalid. */
export function trialDayNames(
  codename: string,
): { readonly name: string; readonly repository: string } | null {
  const parsed = trialDayForm.safeParse({ codename })
  if (!parsed.success) return null
  const name = `${trialDayPrefix}${parsed.data.codename}`
  return { name, repository: transliterate(name) }
}

/** @returns an error if the repository exists; else undefined */
export function validateAvailability(
  repositories: readonly Pick<Repository, 'name'>[],
  repository: string | null,
): string | undefined {
  return repositories.some(({ name }) => name === repository) ? issue('repository_taken') : undefined
}

/** Older dumps may lack the current data structure. */
const maxDumpAgeMs = 24 * 3_600_000

/** Whether forking from this dump needs a confirmation. @param now in milliseconds */
export const isOldDump = (dumpedAt: string | null, now: number): boolean =>
  dumpedAt === null || now - Date.parse(dumpedAt) > maxDumpAgeMs
