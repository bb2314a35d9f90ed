import type { FoundHost, IdentifyParty } from '../third-parties/index.ts'
import type { LoadedResource } from './page-snapshot.ts'

/** Per page; only a hostile page has more. */
const maxHosts = 100

/** The relations of link elements that make a browser load something: not `dns-prefetch`, for example. */
const loadingRelations =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon(?:-precomposed)?|preload|modulepreload|manifest|prefetch)(?:\s|$)/i

/** Whether a browser loads it; other links only lead there. */
export const isLoaded = ({ source, attributes }: LoadedResource): boolean =>
  source !== 'link' || loadingRelations.test(attributes.rel ?? '')

/** Returns whose hosts a page loads from by what was read of it, without those of the web itself. */
export function listThirdPartyHosts(loads: readonly LoadedResource[], identify: IdentifyParty): FoundHost[] {
  const found = new Map<string, FoundHost>()
  for (const load of loads) {
    const { source, url } = load
    if (source === 'request' || !isLoaded(load)) continue
    if (!url.protocol.startsWith('http')) continue
    const party = identify(url)
    if (party.category === undefined) continue
    found.set(`${url.hostname} ${party.entity}`, { host: url.hostname, ...party })
    if (found.size === maxHosts) break
  }
  return [...found.values()]
}
