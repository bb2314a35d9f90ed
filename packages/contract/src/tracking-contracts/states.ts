import { trackingServices } from '../webs/tracking-data.ts'

/** The tags that a tracking contract can name, each with its ids. */
export const tagTopics = ['gtm', 'sgtmid', ...trackingServices] as const
export type TagTopic = (typeof tagTopics)[number]

export const isTagTopic = (topic: string | null): topic is TagTopic =>
  tagTopics.some((each) => each === topic)

/** As an id of a tag, it means any id. */
export const anyTagId = '*'

export const consentToolFields = ['consent_tool', 'consent_tool_id', 'consent_tool_version'] as const
export type ConsentToolField = (typeof consentToolFields)[number]

/** Each of them is inherited by itself. */
export const contractFields = [...consentToolFields, ...tagTopics, 'before_consent', 'hosts'] as const
export type ContractField = (typeof contractFields)[number]

/** Lists to which a web adds what it has for itself; in all other fields that takes the place of its customer's. */
export const addedFields = ['before_consent', 'hosts'] as const satisfies readonly ContractField[]

/**
 * What was agreed on about the tracking of a customer or a web. Null is not agreed on, and therefore not judged, except that a tag
 * needs no field of its own once another tag has one. An empty text means none for the consent tool, and any for its id and
 * version; an empty list means none.
 */
export type ContractSettings = Readonly<Record<ConsentToolField, string | null>> &
  Readonly<Record<Exclude<ContractField, ConsentToolField>, readonly string[] | null>>

export const noContractSettings = Object.fromEntries(
  contractFields.map((field) => [field, null]),
) as ContractSettings

/** The names by which audits know consent tools; of others they have those that autoconsent gives its rules. */
export const knownConsentTools = [
  'Axeptio',
  'Borlabs Cookie',
  'CCM19',
  'Civic Cookie Control',
  'Complianz',
  'consentmanager',
  'Cookie Consent',
  'Cookie Information',
  'Cookiebot',
  'CookieConsent',
  'CookieFirst',
  'CookieHub',
  'CookieScript',
  'CookieYes',
  'Didomi',
  'EU Cookie Compliance',
  'GDPR Cookie Compliance',
  'Google Funding Choices',
  'iubenda',
  'Klaro',
  'OneTrust',
  'Osano',
  'Quantcast Choice',
  'Real Cookie Banner',
  'Sourcepoint',
  'tarteaucitron.js',
  'Termly',
  'TrustArc',
  'Usercentrics',
  'WP Cookie Notice',
]

/** Consent tools whose id audits can read, and those whose version. */
const readable = {
  consent_tool_id: [
    'Usercentrics',
    'Cookiebot',
    'OneTrust',
    'CCM19',
    'consentmanager',
    'Didomi',
    'CookieFirst',
    'CookieYes',
  ],
  consent_tool_version: ['Usercentrics', 'OneTrust', 'Klaro'],
} as const

export type ConsentToolWithId = (typeof readable)['consent_tool_id'][number]

/** The agreed fields that audits cannot compare, because they do not know them of this consent tool. */
export const listUnreadableFields = (settings: ContractSettings): (keyof typeof readable)[] =>
  (['consent_tool_id', 'consent_tool_version'] as const).filter(
    (field) =>
      !!settings[field] &&
      !!settings.consent_tool &&
      !readable[field].some((tool) => tool.toLowerCase() === settings.consent_tool?.toLowerCase()),
  )

export const differenceKinds = ['missing', 'unexpected', 'wrong_id', 'wrong_version', 'too_early'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** Pending until a second audit shows it again. */
export const differenceStates = ['pending', 'confirmed'] as const

/** keeps: the latest audit shows no difference; unknown: there is no contract or no audit, it is too old, or a later one has failed. */
export const contractStates = ['keeps', 'pending', 'differs', 'unknown'] as const
export type ContractState = (typeof contractStates)[number]

/** Names of products, which are the same in all languages. */
export const tagNames: Readonly<Record<TagTopic, string>> = {
  gtm: 'Google Tag Manager',
  sgtmid: 'Server-side GTM',
  matomo: 'Matomo',
  googleanalytics: 'Google Analytics',
  googleads: 'Google Ads',
  facebookads: 'Facebook Ads',
  pinterestads: 'Pinterest Ads',
  microsoftads: 'Microsoft Ads',
  linkedinads: 'LinkedIn Ads',
  tiktokads: 'TikTok Ads',
}

export const maxTagIds = 50
export const maxContractHosts = 2_000
export const maxReasonLength = 500
