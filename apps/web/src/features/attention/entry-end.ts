import type { AttentionEntry } from '@kustos/contract/attention'

const endingKinds: ReadonlySet<AttentionEntry['kind']> = new Set([
  'certificate_expiring',
  'domain_expiring',
  'external_domain_expiring',
])

/** The end that an entry warns of; null once it is over, and for other entries. @param now Unix milliseconds */
export const upcomingEnd = (
  { kind, until }: Pick<AttentionEntry, 'kind' | 'until'>,
  now: number,
): string | null => (endingKinds.has(kind) && until !== null && Date.parse(until) > now ? until : null)
