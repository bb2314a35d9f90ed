import type { GridDefinition, GridLanguage } from '@kustos/contract/grid'
import { trackingColumnsAt, type Web } from '@kustos/contract/webs'
import { labels as en } from '@kustos/contract/webs/labels'
import de from '@kustos/contract/webs/labels.de.json' with { type: 'json' }

/** The names of the services that webs request without consent, by web. */
export type WithoutConsent = ReadonlyMap<number, readonly string[]>

const later: Readonly<Record<GridLanguage, string>> = {
  en: en.tracking.options.before_consent.later,
  de: de.tracking.options.before_consent.later,
}

/** What a web requests before consent, and what only later without it. */
export function servicesOf(
  { id, tracking_data: tracking }: Web,
  withoutConsent: WithoutConsent | undefined,
  language: GridLanguage,
): readonly string[] {
  const before = tracking?.before_consent ?? []
  const others = (withoutConsent?.get(id) ?? []).filter((name) => !before.includes(name))
  return [...before, ...others.map((name) => later[language].replace('{{name}}', () => name))]
}

/** The tracking list as its screen shows it. @param now in Unix seconds */
export function trackingGridAt(
  now: number,
  withoutConsent: WithoutConsent | undefined,
  language: GridLanguage,
): GridDefinition<Web> {
  const { columns, ...grid } = trackingColumnsAt(now)
  return {
    ...grid,
    columns: columns.map((column) =>
      column.key === 'before_consent'
        ? { ...column, value: (web: Web) => servicesOf(web, withoutConsent, language) }
        : column,
    ),
  }
}
