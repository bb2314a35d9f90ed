import type { TrackingTopic } from '@kustos/contract/tracking'
import { isTagTopic, tagNames } from '@kustos/contract/tracking-contracts/states'
import type { Party } from './identify-parties.ts'

/** The services that requests are recognised of by their content, wherever they go. Their names are the same in every language. */
const parties: Readonly<Partial<Record<TrackingTopic, Party>>> = {
  matomo: { entity: 'Matomo', category: 'analytics' },
  googleanalytics: { entity: 'Google Analytics', category: 'analytics' },
  googleads: { entity: 'Google Ads', category: 'advertising' },
  facebookads: { entity: 'Facebook Ads', category: 'advertising' },
  pinterestads: { entity: 'Pinterest Ads', category: 'advertising' },
  microsoftads: { entity: 'Microsoft Ads', category: 'advertising' },
  linkedinads: { entity: 'LinkedIn Ads', category: 'advertising' },
  tiktokads: { entity: 'TikTok Ads', category: 'advertising' },
  gtm: { entity: 'Google Tag Manager', category: 'tag_manager' },
  usercentrics: { entity: 'Usercentrics', category: 'consent_tool' },
  referrerjs: { entity: 'referrer.js', category: 'utility' },
  digiaccess: { entity: 'DigiAccess', category: 'utility' },
}

/**
 * Whom a request belongs to: what its content says comes before its host. The name of a file alone does not: what a known service calls
 * referrer.js is its own.
 */
export const partyOf = (topic: TrackingTopic | null, byHost: Party): Party =>
  topic === null || (topic === 'referrerjs' && byHost.entity !== undefined)
    ? byHost
    : { ...byHost, ...parties[topic] }

/** The name of a service that is known by its topic; names and hosts of others stay as they are. */
export const nameService = (service: string): string =>
  isTagTopic(service) ? tagNames[service] : (parties[service as TrackingTopic]?.entity ?? service)
