import type { GridLanguage } from '@kustos/contract/grid'
import { formatMessage } from '@kustos/contract/messages/format'
import type { WithoutConsent } from '@kustos/contract/webs'
import { labels as en } from '@kustos/contract/webs/labels'
import de from '@kustos/contract/webs/labels.de.json' with { type: 'json' }

/** The names of the services that webs request without consent, by web. */
export type ServicesByWeb = ReadonlyMap<number, readonly string[]>

const labels = { en, de }

/** For the tracking list in a language. */
export const withoutConsentIn = (
  language: GridLanguage,
  services: ServicesByWeb | undefined,
): WithoutConsent => ({
  servicesOf: ({ id }) => services?.get(id) ?? [],
  nameLater: (name) =>
    formatMessage({ code: 'later', params: { name } }, labels[language].tracking.options.before_consent),
})
