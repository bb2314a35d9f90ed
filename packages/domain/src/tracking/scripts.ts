import { isDigiAccess, isReferrer } from './detectors/agency.ts'
import { isMatomoContainer } from './detectors/matomo.ts'
import { isOf, type Load } from './page-snapshot.ts'

/** Scripts of a page that are read. */
export const mostScripts = 30

/** Services whose scripts are the same for everyone: what a page does with them stands in the page. */
const vendors = [
  'googletagmanager.com',
  'google-analytics.com',
  'googleadservices.com',
  'doubleclick.net',
  'google.com',
  'gstatic.com',
  'googleapis.com',
  'connect.facebook.net',
  'pinimg.com',
  'bat.bing.com',
  'licdn.com',
  'tiktok.com',
  'usercentrics.eu',
  'usercentrics.com',
  'polyfill.io',
  'polyfill.com',
  'matomo.cloud',
  'youtube.com',
  'vimeo.com',
  'hotjar.com',
]
const library =
  /(jquery|bootstrap|swiper|slick|owl\.?carousel|lazysizes|modernizr|popper|gsap|leaflet|photoswipe|fancybox|lightbox|matomo|piwik)[\w.-]{0,40}\.js$/i

export interface ChosenScript {
  readonly load: Load
  /** Whether not having read it leaves something open; another's script seldom does more than it says. */
  readonly matters: boolean
}

/** The scripts that are worth reading, those that code of the page adds among them: those first that matter: what is judged by its script, then the page's own. */
export function chosenScripts(
  loads: readonly Load[],
  page: URL,
): { readonly chosen: readonly ChosenScript[]; readonly leftOut: number } {
  const known = new Set<string>()
  const ranked = loads
    .filter(({ source, added, url }) => {
      const isRead = source === 'script' || (source === 'inline' && added === true)
      const isNew = isRead && !known.has(url.href)
      if (isRead) known.add(url.href)
      return isNew && (isMatomoContainer(url) || !vendors.some((vendor) => isOf(url, vendor)))
    })
    .map((load) => ({ load, rank: rankOf(load, page) }))
    .sort((a, b) => a.rank - b.rank)
  const rest = ranked.slice(mostScripts)
  return {
    chosen: ranked.slice(0, mostScripts).map(({ load, rank }) => ({ load, matters: rank <= ranks.own })),
    leftOut: rest.filter(({ rank }) => rank <= ranks.own).length,
  }
}

const ranks = { judged: 0, own: 1, other: 2, library: 3 }

function rankOf({ url, attributes }: Load, page: URL): number {
  if (isDigiAccess(url) || attributes.id === 'dacs' || isReferrer(url) || isMatomoContainer(url))
    return ranks.judged
  if (library.test(url.pathname)) return ranks.library
  return siteOf(url) === siteOf(page) ? ranks.own : ranks.other
}

/** Near enough to tell whose a script is; no answer depends on it. */
const siteOf = ({ hostname }: URL) => hostname.split('.').slice(-2).join('.')
