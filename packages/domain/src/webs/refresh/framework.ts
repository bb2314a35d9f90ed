import { Parser } from 'htmlparser2'

/** What a page is made with. */
export interface Framework {
  readonly name: string
  /** Null where the page does not tell. */
  readonly version: string | null
}

/** The parser pays for each open element with every tag; browsers nest no deeper than 512. */
const deepest = 2_000

/** Those that name themselves in a page's generator, and how staff write them. */
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

/** Where the parts of a page lie, below its own host. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:[\w-]+\/)?(?:typo3temp\/(?:assets|Cache|pics)|typo3conf\/ext|_assets\/[\da-f]{32})\//, 'TYPO3'],
  [/^\/(?:[\w-]+\/)?(?:wp-content\/(?:themes|plugins|uploads)|wp-includes)\//, 'WordPress'],
  [
    /^\/(?:[\w-]+\/)?(?:bundles\/storefront\/|theme\/[\da-f]{32}\/|themes\/Frontend\/|web\/cache\/\d{8,}_)/,
    'Shopware',
  ],
]

/**
 * The framework that a page tells of: by its generator, else by where its own scripts, styles and pictures lie.
 * @param address where the page was read
 * @returns null where it tells of none
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
 * What is known once a page has told: what it does not tell stays, unless it is the version of another framework; a
 * version that is told in short, such as `12` of 12.4.41, says nothing new.
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
