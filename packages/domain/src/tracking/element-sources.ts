import { type Attributes, hasConsentMark } from './script-kinds.ts'

/** What a lazy loader puts into `src` once the element comes into view. */
const lazyAttributes = ['data-src', 'data-lazy-src'] as const

/** lazysizes, WP Rocket, Jetpack, Smush, lozad.js, LiteSpeed Cache. */
const isLazy = (attributes: Attributes): boolean =>
  attributes['data-lazy-src'] !== undefined ||
  attributes['data-lazyloaded'] !== undefined ||
  /(?:^|[\s-])lazy|lozad/i.test(attributes.class ?? '')

const isAddress = (source: string | undefined): source is string =>
  source !== undefined && !/^\s*(?:(?:about|data|javascript):|$)/i.test(source)

/** The first candidate of a `srcset`; the others are the same image in other sizes. */
const firstOf = (srcset: string | undefined): string | undefined => srcset?.trim().split(/\s+|,\s/, 1)[0]

/** The address of an image that a browser loads, also if a lazy loader names it later. */
export const imageSource = (attributes: Attributes): string | undefined =>
  [
    attributes.src,
    firstOf(attributes.srcset),
    ...(isLazy(attributes)
      ? [...lazyAttributes.map((name) => attributes[name]), firstOf(attributes['data-srcset'])]
      : []),
  ].find(isAddress)

/** The address of a frame that a browser loads, and whether it waits for the visitor's consent. */
export function frameSource(attributes: Attributes) {
  const blockedSource =
    attributes['uc-src'] ??
    attributes['data-uc-src'] ??
    attributes['data-cookieblock-src'] ??
    attributes['data-cmp-src'] ??
    attributes.suppressedsrc
  if (blockedSource !== undefined) return { source: blockedSource, consentBlocked: true }
  if (isAddress(attributes.src) || !isLazy(attributes))
    return { source: attributes.src, consentBlocked: false }
  const source = lazyAttributes.map((name) => attributes[name]).find(isAddress)
  return { source, consentBlocked: hasConsentMark(attributes) }
}

/** The other addresses that browsers load for elements of these names, apart from media that wait until they are played. */
export function mediaSources(
  name: string,
  attributes: Attributes,
  isDeferred: boolean,
): (string | undefined)[] {
  const { src, poster, srcset, data } = attributes
  if (name === 'video') return isDeferred ? [poster] : [poster, src]
  if (name === 'audio') return isDeferred ? [] : [src]
  if (name === 'source') return isDeferred ? [] : [src ?? firstOf(srcset)]
  return name === 'embed' ? [src] : name === 'object' ? [data] : []
}

/** Comments, and names that only look like addresses. */
const noAddresses = /\/\*[\s\S]*?(?:\*\/|$)|@namespace[^;]{0,200}/gi
/** Absolute addresses only, since the others are mostly those of the page's own host. */
const cssAddress =
  /(@import\s{0,20}(?:url\(\s{0,20})?["']?|url\(\s{0,20}["']?)((?:https?:)?\/\/[^"')\s]{1,2000})/gi

/** The style sheets that CSS imports, and the images and fonts that it names, on hosts that it names. */
export function* readStyle(
  css: string,
): Generator<{ readonly address: string; readonly isImport: boolean; readonly text: string }> {
  for (const { 0: text, 1: before = '', 2: address = '' } of css
    .replace(noAddresses, ' ')
    .matchAll(cssAddress))
    yield { address, isImport: before.startsWith('@'), text }
}
