import type { MailState } from '@kustos/contract/domains'
import { watchedDomains } from '@kustos/database/tables'

/** What is known of the domains of lists from their registries and their DNS, to be joined by their name in ASCII. */
export const watchedColumns = {
  registry_expires_at: watchedDomains.expires_at,
  mail_state: watchedDomains.mail_state,
}

interface Watched {
  readonly registry_expires_at: Date | null
  readonly mail_state: string | null
}

/** The fields of the lists. @param own when the registration ends as the registrar says */
export function presentWatched(
  { registry_expires_at: registry, mail_state }: Watched,
  own: Date | null = null,
) {
  const source = own !== null ? 'registrar' : registry !== null ? 'rdap' : null
  return {
    expires_at: (own ?? registry)?.toISOString() ?? null,
    expiry_source: source,
    mail_state: mail_state as MailState | null,
  } as const
}
