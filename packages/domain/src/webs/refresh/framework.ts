import { Parser } from 'htmlparser2'

export interface Framework {
  readonly name: string
  /** Null if unknown. */
  readonly version: string | null
}

/** The parser's time grows with the depth of the elements; browsers limit it to 512. */
const deepest = 2_000

/** Patterns of the generator of a page. */
const generators: readonly (readonly [RegExp, string])[] = [
  [/^typo3\b/i, 'TYPO3'],
  [/^wordpress\b/i, 'WordPress'],
  [/^shopware\b/i, 'Shopware'],
  [/^joomla\b/i, 'Joomla'],
  [/^drupal\b/i, 'Drupal'],
  [/^contao\b/i, 'Contao'],
  [/^neos\b/i, 'Neos'],
  [/^webflow\b/i, 'Webflow'],
  [/^hugo\b/i, 'Hugo'],
  [/^prestashop\b/i, 'PrestaShop'],
]

/** Patterns of the paths of a page's own scripts, styles and images. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:[\w-]+\/)?(?:typo3temp\/(?:assets|Cache|pics)|typo3conf\/ext|_assets\/[\da-f]{32})\//, 'TYPO3'],
  [/^\/(?:[\w-]+\/)?(?:wp-content\/(?:themes|plugins|uploads)|wp-includes)\//, 'WordPress'],
  [
    /^\/(?:[\w-]+\/)?(?:bundles\/storefront\/|theme\/[\da-f]{32}\/|themes\/Frontend\/|web\/cache\/\d{8,}_)/,
    'Shopware',
  ],
]

/**
 * Detects the framework of a page by its generator, or else by the paths of its own scripts, styles and images.
 * @param address of the page
 * @returns null if unknown
 */
export function frameworkOf(html: string, address: string): Framework | null {
  const { host } = new URL(address)
  let told: Framework | null = null
  let shown: Framework | null = null
  let depth = 0
  let templates = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      if (depth > deepest) parser.pause()
      if (name === 'template') templates += 1
      if (templates > 0) return
      if (name === 'meta' && attributes.name?.toLowerCase() === 'generator')
        told ??= generatorOf(attributes.content ?? '')
      const place = name === 'link' ? attributes.href : partsOfPages.has(name) ? attributes.src : undefined
      const url = place === undefined ? null : URL.parse(place, address)
      if (url?.host === host) shown ??= placedAt(url.pathname)
    },
    onclosetag(name) {
      depth -= 1
      if (name === 'template') templates -= 1
    },
  })
  parser.write(html)
  if (depth <= deepest) parser.end()
  return told ?? shown
}

const partsOfPages = new Set(['script', 'img'])

/** Such as `WordPress 6.8.3`, `TYPO3 CMS`, `TYPO3 4.5 CMS` or `Drupal 10 (https://www.drupal.org)`. */
function generatorOf(content: string): Framework | null {
  const text = content.trim()
  const [, name] = generators.find(([pattern]) => pattern.test(text)) ?? []
  if (name === undefined) return null
  const [, version = null] =
    /^[^\d(]*[\s/]v?(\d{1,4}(?:\.\d{1,6}){0,4})(?![\d.])/.exec(text.replace(/^typo3/i, 'T')) ?? []
  return { name, version }
}

function placedAt(path: string): Framework | null {
  const [, name] = places.find(([pattern]) => pattern.test(path)) ?? []
  return name === undefined ? null : { name, version: null }
}

export interface KnownFramework {
  readonly framework_name: string | null
  readonly framework_version: string | null
}

/**
 * Merges a detected framework with the known one. A version that the page does not show, or only in short such as `12` for
 * 12.4.41, stays unless the framework has changed.
 */
export function withFramework(known: KnownFramework, { name, version }: Framework): KnownFramework {
  const isSame = known.framework_name?.trim().toLowerCase() === name.toLowerCase()
  if (!isSame) return { framework_name: name, framework_version: version }
  const before = known.framework_version
  const isShort = version !== null && before?.replace(/^v/i, '').startsWith(`${version}.`)
  return {
    framework_name: known.framework_name,
    framework_version: version === null || isShort ? before : version,
  }
}
