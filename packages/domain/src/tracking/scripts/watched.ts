/** What detectors look for in scripts. All else is not worth sending to them. */

const calls = new Set([
  'gtag',
  '__gtagTracker',
  'fbq',
  'ga',
  '__gaTracker',
  'pintrk',
  'ttq.load',
  '_linkedin_data_partner_ids.push',
  'Matomo.getTracker',
  'Matomo.getAsyncTracker',
  'Matomo.addTracker',
  'Piwik.getTracker',
  'Piwik.getAsyncTracker',
  'Piwik.addTracker',
])

/** Functions that set cookies, of whatever object. `$.cookie` reads without a value, and sets with one. */
const cookieCall =
  /(?:^|\.)(?:(?:set|create|write|add|save|store|put)_?cookies?\w{0,20}|cookie(?:s|store)?\.(?:set|add|put)|(?:\$|jquery)\.cookie|cookies)$/i

export const isWatchedCall = (name: string): boolean => calls.has(name) || cookieCall.test(name)

export const isCookieCall = (name: string): boolean => cookieCall.test(name)

export const isWatchedAssignment = (name: string): boolean =>
  /^(?:document\.cookie|_linkedin_(?:data_)?partner_id|google_conversion_id)$/.test(name)

const keys = new Set([
  'cookie',
  'src',
  'id',
  'settingsId',
  'rulesetId',
  '_linkedin_partner_id',
  '_linkedin_data_partner_id',
  'google_conversion_id',
])
/** The last key of what a watched assignment writes to. */
export const isWatchedKey = (key: string): boolean => keys.has(key)

/** The attribute of an element that an assignment to a property sets. */
export const attributeOf = (name: string): string | undefined =>
  /(?:^|\.)(?:dataset\.(settings|ruleset)Id|(id))$/
    .exec(name)
    ?.slice(1)
    .flatMap((part) => (part === undefined ? [] : part === 'id' ? 'id' : `data-${part}-id`))[0]

export const isWatchedAttribute = (name: string): boolean =>
  name === 'id' || name === 'data-settings-id' || name === 'data-ruleset-id'

const fields = new Set(['send_to', 'google_conversion_id', 'ti', 'gtm.start'])
export const isWatchedField = (name: string): boolean => fields.has(name)

/** The first entry of a list that is a command. */
export const isWatchedCommand = (text: string): boolean =>
  /^(?:setTrackerUrl|setSiteId|addTracker)$|(?:^|\.)_setAccount$/.test(text)

export const isWatchedText = (text: string): boolean =>
  /^GTM-[A-Z0-9]{4,12}$|\/gtm\.js\?id=|\.usercentrics(?:-sandbox)?\.(?:eu|com)\/|bat\.bing\.(?:com|net)\/bat\.js/.test(
    text,
  )

const mentions = new Set(['uetq', 'UET', '_paq'])
export const isWatchedName = (name: string): boolean => mentions.has(name)
