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
 * Further types that run: HTML of Google Tag Manager, and scripts that WP Rocket, LiteSpeed Cache, Perfmatters, NitroPack,
 * Cloudflare's Rocket Loader and Partytown run later, such as when the visitor first moves the mouse, or in a worker.
 */
const laterTypes =
  /^(text\/gtmscript|rocketlazyloadscript|litespeed\/javascript|pmdelayedscript|nitropack\/inlinescript|text\/partytown|[0-9a-f]{8,40}-(\w+\/javascript|module)?)$/
const runs = (type: string): boolean =>
  javaScript.has(type) || laterTypes.test(type) || legacyTypes.test(type)

/** Legacy types that browsers still run (https://mimesniff.spec.whatwg.org/#javascript-mime-type). */
const legacyTypes = /^text\/(?:javascript1\.[0-5]|livescript|x-ecmascript)$/

/** Attributes by which consent managers recognize blocked scripts, Usercentrics first. */
const consentBlockedAttributes = [
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
/** Only a consent manager uses this type. */
const consentBlockedType = 'didomi/javascript'
const consentBlockedClass = /\b(_iub_cs_activate|optanon-category|cmplz|cky-consent|cookie-?consent)/i

/** Whether a script is running code, code that waits for consent, or JSON settings; null if none of them. */
export function classifyScript(attributes: Attributes): 'code' | 'consentBlocked' | 'settings' | null {
  const type = readScriptType(attributes)
  if (isConsentBlocked(attributes)) return 'consentBlocked'
  if (type === 'application/json') return isSettings(attributes) ? 'settings' : null
  // All current browsers support modules and ignore `nomodule` scripts.
  if (attributes.nomodule !== undefined && type !== 'module') return null
  return runs(type) ? 'code' : null
}

/** Returns the MIME type, derived from the language if there is no type. */
function readScriptType({ type, language = '' }: Attributes): string {
  if (type !== undefined) return type.trim().toLowerCase()
  return language === '' ? '' : `text/${language.toLowerCase()}`
}

export const isConsentBlocked = (attributes: Attributes): boolean =>
  readScriptType(attributes) === consentBlockedType ||
  (readScriptType(attributes) === 'text/plain' && hasConsentMark(attributes))

export const hasConsentMark = (attributes: Attributes): boolean =>
  consentBlockedAttributes.some((gate) => attributes[gate] !== undefined) ||
  consentBlockedClass.test(attributes.class ?? '')

/** Drupal and Joomla store settings of their modules in such scripts. */
const isSettings = (attributes: Attributes): boolean =>
  attributes['data-drupal-selector'] === 'drupal-settings-json' ||
  /\bjoomla-script-options\b/.test(attributes.class ?? '')
