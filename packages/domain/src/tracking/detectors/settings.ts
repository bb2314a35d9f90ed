import { maxExcerptLength, type TrackingTopic } from '@kustos/contract/tracking'
import { each, pause } from '../cooperative.ts'
import { createEvidence, type DetectedFinding, type Detector } from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import type { FoundSettings, Setting } from '../plugin-settings.ts'
import { pixels } from './pixels.ts'

interface Kind {
  readonly topic: TrackingTopic
  /** Where its script comes from. */
  readonly domain: string
  readonly id: RegExp
  /** Matches a name on the path to the id; not needed if the form of the id shows whose it is. */
  readonly pathPart?: RegExp
  /** The name of the id itself. */
  readonly name?: RegExp
  readonly prefix?: string
}

const gtmHost = 'www.googletagmanager.com'
const adsHost = 'www.googleadservices.com'
const kinds: readonly Kind[] = [
  { topic: 'googleanalytics', domain: gtmHost, id: /^(?:G-[A-Z0-9]{6,12}|GT-[A-Z0-9]{6,14})$/ },
  { topic: 'googleanalytics', domain: 'www.google-analytics.com', id: /^UA-\d{4,10}-\d{1,4}$/ },
  { topic: 'googleads', domain: gtmHost, id: /^AW-\d{8,12}$/ },
  {
    topic: 'googleads',
    domain: adsHost,
    id: /^\d{8,12}$/,
    pathPart: /^(?:google)?ads$|adwords/,
    name: /^conversionids?$/,
    prefix: 'AW-',
  },
  {
    topic: 'facebookads',
    domain: 'connect.facebook.net',
    id: /^\d{14,17}$/,
    pathPart: /facebook|^fb|^meta(?:pixel)?$/,
    name: /^(?:(?:facebook|fb|meta)?(?:pixel)?ids?|(?:facebook|fb|meta)pixel)$/,
  },
  ...pixels.map(({ topic, domain, id, settings }) => ({ topic, domain, id, ...settings })),
]

export const maxIdsPerPlugin = 50

/** Finds ids in the settings of plugins, because their scripts will load what these name. */
export const pluginSettings: Detector = function* ({ settings, page }) {
  for (const seen of settings) {
    let left = maxIdsPerPlugin
    yield* each(seen.settings, function* (setting) {
      const kind = left > 0 ? kinds.find((one) => matchesKind(one, setting)) : undefined
      if (kind === undefined) return
      left -= 1
      yield pause
      const { topic, domain, prefix = '' } = kind
      yield {
        topic,
        value: `${prefix}${setting.value}`,
        domain,
        evidence: createSettingsEvidence(seen, setting, page),
      }
    })
  }
}

const matchesKind = ({ id, pathPart, name }: Kind, { path, value }: Setting): boolean =>
  id.test(value) &&
  !isPlaceholder(value) &&
  (pathPart === undefined || path.some((part) => pathPart.test(part))) &&
  (name === undefined || name.test(path.at(-1) ?? ''))

export function createSettingsEvidence(
  settings: FoundSettings,
  { value }: Setting,
  page: URL,
): DetectedFinding['evidence'] {
  const { json, consentBlocked } = settings
  const start = Math.max(0, json.indexOf(value) - maxExcerptLength / 2)
  const excerpt = json.slice(start, start + maxExcerptLength)
  return createEvidence({ source: 'inline', consentBlocked }, page.href, excerpt)
}
