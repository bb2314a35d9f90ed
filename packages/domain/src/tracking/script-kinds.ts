export type Attributes = Readonly<Record<string, string>>

const javaScript = new Set([
  '',
  'module',
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'text/ecmascript',
  'text/jscript',
  'text/x-javascript',
])

/**
 * Types of what runs all the same: Google Tag Manager's own HTML; what WP Rocket, Cloudflare's Rocket Loader and
 * Partytown run later or elsewhere.
 */
const others =
  /^(text\/gtmscript|rocketlazyloadscript|text\/partytown|[0-9a-f]{8,40}-(\w+\/javascript|module)?)$/
const runs = (type: string): boolean => javaScript.has(type) || others.test(type) || old.test(type)

/** Types of the first browsers that are run to this day (https://mimesniff.spec.whatwg.org/#javascript-mime-type). */
const old = /^text\/(?:javascript1\.[0-5]|livescript|x-ecmascript)$/

/** What consent managers know the scripts by that they hold back: Usercentrics first, then what others use. */
const gates = [
  'data-usercentrics',
  'data-cookieconsent',
  'data-cookiecategory',
  'data-cookie-consent',
  'data-consent',
  'data-category',
  'data-service',
  'data-name',
  'data-cmp-vendor',
  'data-cookieyes',
]
/** Types that only a consent manager has. */
const gatedType = 'didomi/javascript'
const gatedClass = /\b(_iub_cs_activate|optanon-category|cmplz|cky-consent|cookie-?consent)/i

/** What a script is to a browser: code that runs, code that waits for consent, settings in JSON; null where it is nothing. */
export function kindOf(attributes: Attributes): 'code' | 'gated' | 'settings' | null {
  const type = typeOf(attributes)
  if (isGated(attributes)) return 'gated'
  if (type === 'application/json') return isSettings(attributes) ? 'settings' : null
  // Every browser of these years knows modules, and leaves out what is for those that do not.
  if (attributes.nomodule !== undefined && type !== 'module') return null
  return runs(type) ? 'code' : null
}

/** In words of the standard: its type, or else its language. */
function typeOf({ type, language = '' }: Attributes): string {
  if (type !== undefined) return type.trim().toLowerCase()
  return language === '' ? '' : `text/${language.toLowerCase()}`
}

export const isGated = (attributes: Attributes): boolean =>
  typeOf(attributes) === gatedType ||
  (typeOf(attributes) === 'text/plain' &&
    (gates.some((gate) => attributes[gate] !== undefined) || gatedClass.test(attributes.class ?? '')))

/** Where Drupal and Joomla keep the settings of their modules. */
const isSettings = (attributes: Attributes): boolean =>
  attributes['data-drupal-selector'] === 'drupal-settings-json' ||
  /\bjoomla-script-options\b/.test(attributes.class ?? '')
