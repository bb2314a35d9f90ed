import { findStorageOwner } from '@kustos/contract/tracker-storage'
import type { RequestedHost, StoredItem, TrackingTopic } from '@kustos/contract/tracking'
import { asciiFqdn } from '@kustos/contract/webs'

/** Names of products, which are the same in all languages. A topic of another release stands for itself. */
const topicNames: Readonly<Partial<Record<TrackingTopic, string>>> = {
  usercentrics: 'Usercentrics',
  gtm: 'Google Tag Manager',
  sgtmid: 'Server-side Google Tag Manager',
  matomo: 'Matomo',
  googleanalytics: 'Google Analytics',
  googleads: 'Google Ads',
  facebookads: 'Meta (Facebook) Ads',
  pinterestads: 'Pinterest Ads',
  microsoftads: 'Microsoft Ads',
  linkedinads: 'LinkedIn Ads',
  tiktokads: 'TikTok Ads',
  fbadvancedmatching: 'Meta (Facebook) Advanced Matching',
  polyfillio: 'polyfill.io',
  digiaccess: 'DigiAccess',
}

export const topicName = (topic: TrackingTopic): string => topicNames[topic] ?? topic

/** Later releases also say whose host it is, and for what. */
type NamedHost = RequestedHost & { readonly entity?: unknown; readonly category?: unknown }

/** The service, otherwise the company; null if both are unknown. */
export function serviceName({ topic, entity }: NamedHost): string | null {
  if (topic !== null) return topicName(topic)
  return typeof entity === 'string' ? entity : null
}

/** The known tracker that something stored belongs to; null if it is none. */
export function storageOwner(item: StoredItem): string | null {
  const { topic = null, entity } = item.entity === undefined ? (findStorageOwner(item) ?? item) : item
  return topic !== null ? topicName(topic) : (entity ?? null)
}

/** What a host is for. A category of another release stands for itself. */
export const categoryOf = (
  names: Readonly<Record<string, string>>,
  { category }: NamedHost,
): string | null => (typeof category === 'string' ? (names[category] ?? category) : null)

/** @param host of a request, in ASCII @param fqdn of the website, as it is written */
export function isOwnHost(host: string, fqdn: string): boolean {
  const bare = (asciiFqdn(fqdn) ?? fqdn).replace(/^www\./, '')
  return host === bare || host.endsWith(`.${bare}`)
}
