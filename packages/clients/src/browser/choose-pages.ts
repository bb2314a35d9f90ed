import { getDomain } from 'tldts'

/** A link of a page. */
export interface PageLink {
  /** Resolved. */
  readonly url: string
  readonly text: string
}

/** Pages of a site that are visited besides its start page. */
export interface FurtherPages {
  readonly content?: string
  /** A page for enquiries or bookings if there is none for contact. */
  readonly contact?: string
}

/** Links of a page that are read, and the length of their texts. */
export const maxLinks = 1_000
export const maxLinkTextLength = 100
const maxAddressLength = 1_000

/** A path that no site has, the same each time, so that caches and operators know it. */
const missingPath = '/kustos-audit-page-that-does-not-exist'

export const missingPageOf = (start: string): string => new URL(missingPath, start).href

/** Beginnings of words in German, English and Italian, the best pages first. */
const contactWords: readonly RegExp[] = [
  /^(?:kontakt|contact|contatt)/,
  /^(?:anfrage|enquir|inquir|request$|richiest)/,
  /^(?:buchen|buchung|onlinebuch|reservier|reservation|booking|book$|prenot)/,
]

/** Legal pages, and those that do something or show nothing of the site. */
const unsuitable =
  /^(?:impressum|imprint|impronta|datenschutz|privacy|cookie|agb$|terms|legal|note$|login|logout|anmeld|abmeld|signin|signout|konto$|account|register|registr|accedi|esci$|warenkorb|cart$|carrello|basket|checkout|kasse|suche|search|cerca|unsubscribe|delete|remove|download|print$|feed$|rss$|sitemap|wp$|admin)/

const fileName = /\.(?!html?$|php$|aspx?$|jsp$)\w{2,5}$/i
/** The start page in another language, such as `/de/` or `/en-us`. */
const languagePath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?)?\/?$/i

interface Candidate {
  readonly url: URL
  readonly pathWords: readonly string[]
  readonly textWords: readonly string[]
}

/**
 * Chooses a content page and a page for contact or bookings among the links of a start page. Only pages of the same
 * registrable domain are chosen, and always the same among the same links.
 */
export function choosePages(start: string, links: readonly PageLink[]): FurtherPages {
  const candidates = links.slice(0, maxLinks).flatMap((link) => toCandidate(start, link) ?? [])
  const ranked = candidates
    .map((candidate) => ({ candidate, rank: contactRank(candidate) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  const contact = ranked[0]?.candidate
  const isContent = ({ pathWords, textWords, url }: Candidate) =>
    !languagePath.test(url.pathname) && ![...pathWords, ...textWords].some((word) => unsuitable.test(word))
  const contents = candidates.filter((one) => contactRank(one) === null && isContent(one))
  // An address without parameters is likelier to be the same tomorrow.
  const content = contents.find(({ url }) => url.search === '') ?? contents[0]
  return {
    ...(content && { content: content.url.href }),
    ...(contact && { contact: contact.url.href }),
  }
}

/** Whether two addresses belong to one registrable domain, such as `hotel.it` and `www.hotel.it`. */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)]
  return a !== null && b !== null && siteOf(a) === siteOf(b)
}

const siteOf = ({ hostname }: URL): string => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname

function toCandidate(start: string, { url: address, text }: PageLink): Candidate | null {
  const [url, from] = [URL.parse(address), URL.parse(start)]
  if (url === null || from === null || url.href.length > maxAddressLength) return null
  if (!/^https?:$/.test(url.protocol) || url.port !== from.port || url.username !== '') return null
  if (siteOf(url) !== siteOf(from) || fileName.test(url.pathname)) return null
  url.hash = ''
  const isStart = url.host === from.host && url.pathname === from.pathname && url.search === from.search
  if (isStart || (url.pathname === '/' && url.search === '')) return null
  return {
    url,
    pathWords: wordsOf(decode(url.pathname + url.search)),
    textWords: wordsOf(text.slice(0, maxLinkTextLength)),
  }
}

/** Smaller is better; null if it is no page for contact or bookings. A path says more than a text. */
function contactRank({ pathWords, textWords }: Candidate): number | null {
  if ([...pathWords, ...textWords].some((word) => unsuitable.test(word))) return null
  for (const [index, pattern] of contactWords.entries()) {
    if (pathWords.some((word) => pattern.test(word))) return 2 * index
    if (textWords.some((word) => pattern.test(word))) return 2 * index + 1
  }
  return null
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Browsers keep invalid percent signs.
    return text
  }
}
