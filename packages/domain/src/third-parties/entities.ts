import type { ThirdPartyCategory } from '@kustos/contract/third-parties/states'
import lists from 'third-party-web/nostats-subset.js'
import { entityCategories, overrides } from './overrides.ts'

/**
 * Large data: loaded by `identifyParties` when the first audit needs it, and by nothing else.
 * https://github.com/patrickhulce/third-party-web, whose own lookup takes any subdomain of a listed host's domain for the same
 * entity, and so would name others on the same CDN.
 */
export interface Entity {
  readonly name: string
  readonly category: ThirdPartyCategory
}

const categories: Readonly<Record<string, ThirdPartyCategory>> = {
  ad: 'advertising',
  analytics: 'analytics',
  social: 'social',
  video: 'embedded_media',
  marketing: 'marketing',
  'customer-success': 'chat',
  utility: 'utility',
  'tag-manager': 'tag_manager',
  'consent-provider': 'consent_tool',
  cdn: 'cdn',
  hosting: 'hosting',
}

const exact = new Map<string, Entity>()
const wildcards = new Map<string, Entity>()

for (const { name, category, domains } of lists.entities) {
  const entity = { name, category: entityCategories[name] ?? categories[category] ?? 'other' }
  for (const domain of domains)
    if (domain.startsWith('*.')) wildcards.set(domain.slice(2), entity)
    else exact.set(domain, entity)
}

/** Returns whom a URL's host, and path, belong to; null if no list knows. */
export function findEntity({ hostname, pathname }: Pick<URL, 'hostname' | 'pathname'>): Entity | null {
  const known = exact.get(hostname)
  const own = overrides.find(
    ({ domains, path }) => path?.test(pathname) !== false && domains.some((domain) => isOn(hostname, domain)),
  )
  // A host that the lists have by its full name is one of a service, even on a CDN that an override names.
  if (own !== undefined && (known === undefined || !isShared(own.category)))
    return { name: own.entity, category: own.category }
  if (known !== undefined) return known
  for (let name = hostname; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const entity = wildcards.get(name)
    if (entity !== undefined) return entity
  }
  return null
}

/** Whether a host is a domain's or one of its subdomains'. */
export const isOn = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

const isShared = (category: ThirdPartyCategory) => category === 'cdn' || category === 'hosting'
