import { Parser } from 'htmlparser2'

export interface Framework {
  readonly name: string
  /** Null if unknown. */
  readonly version: string | null
}

/** The parser's time grows with the depth of the elements; browsers limit it to 512. */
const maxDepth = 2_000

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

const assetPaths: readonly (readonly [RegExp, string])[] = [
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
export function detectFramework(html: string, address: string): Framework | null {
  const { host } = new URL(address)
  let generator: Framework | null = null
  let asset: Framework | null = null
  let depth = 0
  let templates = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      if (depth > maxDepth) parser.pause()
      if (name === 'template') templates += 1
      if (templates > 0) return
      if (name === 'meta' && attributes.name?.toLowerCase() === 'generator')
        generator ??= readGenerator(attributes.content ?? '')
      const source = name === 'link' ? attributes.href : assetTags.has(name) ? attributes.src : undefined
      const url = source === undefined ? null : URL.parse(source, address)
      if (url?.host === host) asset ??= frameworkOfPath(url.pathname)
    },
    onclosetag(name) {
      depth -= 1
      if (name === 'template') templates -= 1
    },
  })
  parser.write(html)
  if (depth <= maxDepth) parser.end()
  return generator ?? asset
}

const assetTags = new Set(['script', 'img'])

/** Such as `WordPress 6.8.3`, `TYPO3 CMS`, `TYPO3 4.5 CMS` or `Drupal 10 (https://www.drupal.org)`. */
function readGenerator(content: string): Framework | null {
  const text = content.trim()
  const [, name] = generators.find(([pattern]) => pattern.test(text)) ?? []
  if (name === undefined) return null
  const [, version = null] =
    /^[^\d(]*[\s/]v?(\d{1,4}(?:\.\d{1,6}){0,4})(?![\d.])/.exec(text.replace(/^typo3/i, 'T')) ?? []
  return { name, version }
}

function frameworkOfPath(path: string): Framework | null {
  const [, name] = assetPaths.find(([pattern]) => pattern.test(path)) ?? []
  return name === undefined ? null : { name, version: null }
}

export interface KnownFramework {
  readonly framework_name: string | null
  readonly framework_version: string | null
}

/**
 * Merges a detected framework with the known one. A version that the page does not show, or only in short such as `12` for
 * 12.4.41, stays unless the framework has changed, and so does the spelling of a known version, such as v12.4.41.
 */
export function mergeFramework(known: KnownFramework, { name, version }: Framework): KnownFramework {
  const isSame = known.framework_name?.trim().toLowerCase() === name.toLowerCase()
  if (!isSame) return { framework_name: name, framework_version: version }
  const before = known.framework_version
  const plain = before?.replace(/^v/i, '')
  const isKnown = version !== null && (plain === version || plain?.startsWith(`${version}.`))
  return {
    framework_name: known.framework_name,
    framework_version: version === null || isKnown ? before : version,
  }
}
