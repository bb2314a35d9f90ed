import { isSameSite } from '@kustos/clients/browser/choose-pages'
import { isDigiAccess, isReferrer } from './detectors/agency.ts'
import { isMatomoContainer } from './detectors/matomo.ts'
import { isOnDomain, type LoadedResource } from './page-snapshot.ts'

export const maxScripts = 30

/** Their scripts are the same for all sites; only the page's own code says how they are used. */
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

interface SelectedScript {
  readonly load: LoadedResource
  /** Whether it may contain tracking; third-party scripts rarely do. */
  readonly matters: boolean
}

/** Selects the scripts to read, including those added by code: first those that are findings themselves, then the page's own. */
export function selectScripts(
  loads: readonly LoadedResource[],
  page: URL,
): { readonly selected: readonly SelectedScript[]; readonly skipped: number } {
  const known = new Set<string>()
  const ranked = loads
    .filter(({ source, added, url }) => {
      const isRead = source === 'script' || (source === 'inline' && added === true)
      const isNew = isRead && !known.has(url.href)
      if (isRead) known.add(url.href)
      return isNew && (isMatomoContainer(url) || !vendors.some((vendor) => isOnDomain(url, vendor)))
    })
    .map((load) => ({ load, rank: rankOf(load, page) }))
    .sort((a, b) => a.rank - b.rank)
  const rest = ranked.slice(maxScripts)
  return {
    selected: ranked.slice(0, maxScripts).map(({ load, rank }) => ({ load, matters: rank <= ranks.own })),
    skipped: rest.filter(({ rank }) => rank <= ranks.own).length,
  }
}

const ranks = { finding: 0, own: 1, other: 2, library: 3 }

function rankOf({ url, attributes }: LoadedResource, page: URL): number {
  if (isDigiAccess(url) || attributes.id === 'dacs' || isReferrer(url) || isMatomoContainer(url))
    return ranks.finding
  if (library.test(url.pathname)) return ranks.library
  return isSameSite(url.href, page.href) ? ranks.own : ranks.other
}
