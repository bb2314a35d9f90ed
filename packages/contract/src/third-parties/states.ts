/** What third parties do. Whether they need consent depends on it, by the operator's policy. */
export const thirdPartyCategories = [
  'analytics',
  'advertising',
  'social',
  'session_replay',
  'embedded_media',
  'marketing',
  'chat',
  'maps',
  'fonts',
  'captcha',
  'other',
  'utility',
  'consent_tool',
  'tag_manager',
  'cdn',
  'hosting',
  'unknown',
] as const
export type ThirdPartyCategory = (typeof thirdPartyCategories)[number]

/** `review`: staff have to look at it. */
export const policyDecisions = ['consent', 'review', 'none'] as const
export type PolicyDecision = (typeof policyDecisions)[number]

export type PolicyDecisions = Readonly<Record<ThirdPartyCategory, PolicyDecision>>

/** The policy of an installation that has not changed it. */
export const defaultDecisions: PolicyDecisions = {
  analytics: 'consent',
  advertising: 'consent',
  social: 'consent',
  session_replay: 'consent',
  embedded_media: 'consent',
  marketing: 'review',
  chat: 'review',
  maps: 'review',
  fonts: 'review',
  captcha: 'review',
  other: 'review',
  utility: 'none',
  consent_tool: 'none',
  tag_manager: 'none',
  cdn: 'none',
  hosting: 'none',
  unknown: 'review',
}
