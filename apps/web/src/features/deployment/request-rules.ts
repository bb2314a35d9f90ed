import { type Repository, repositoryFor, spelledOut } from '@kustos/contract/bitbucket'
import { futureDomain, requestTexts, trialDayForm, trialDayPrefix } from '@kustos/contract/deployment'

/** What a request would make, as far as its fields tell. */
export interface Outcome {
  readonly repository: string | null
  readonly fqdn: string | null
}

/** What comes of a source repository and a domain, as they are typed. */
export function outcomeOf(source: string, domain: string): Outcome {
  const parsed = futureDomain.safeParse(domain)
  if (!parsed.success) return { repository: null, fqdn: null }
  return { repository: source === '' ? null : repositoryFor(source, parsed.data), fqdn: parsed.data }
}

/** The names of a trial-day web: its repository, and what the request calls it; null while the codename is none. */
export function trialDayNames(
  codename: string,
): { readonly name: string; readonly repository: string } | null {
  const parsed = trialDayForm.safeParse({ codename })
  if (!parsed.success) return null
  const name = `${trialDayPrefix}${parsed.data.codename}`
  return { name, repository: spelledOut(name) }
}

/** What is said where no source was chosen: it is called otherwise on each screen, and by one name in the call. */
export const sourceMissing = {
  kickstarter: 'Kickstarter is required',
  source: 'Source repo is required',
} as const

/** Refuses a repository that exists already. @returns undefined where it is free */
export function takenBy(
  repositories: readonly Pick<Repository, 'name'>[],
  repository: string | null,
): string | undefined {
  return repositories.some(({ name }) => name === repository) ? requestTexts.taken : undefined
}

/** Older dumps may lack what the source's data look like today; in milliseconds. */
const oldAfter = 24 * 3_600_000

/** Whether a fork from this dump wants a confirmation. @param now in milliseconds */
export const isOldDump = (dumpedAt: string | null, now: number): boolean =>
  dumpedAt === null || now - Date.parse(dumpedAt) > oldAfter
