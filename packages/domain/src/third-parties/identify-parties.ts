import { type Dns, isSameParty } from '@kustos/clients/dns'
import type { ThirdPartyCategory } from '@kustos/contract/third-parties/states'
import { judgeRequest, type TrackingPolicy } from './policy.ts'
import { resolveAliases } from './resolve-aliases.ts'

/** Whom a host belongs to. Empty for the web itself. */
export interface Party {
  /** The name of the service or its company; missing if it is unknown. */
  readonly entity?: string
  readonly category?: ThirdPartyCategory
  /** The name behind the CNAME records of a host of the web's own domain. */
  readonly alias?: string
}

export type IdentifyParty = (url: Pick<URL, 'hostname' | 'pathname'>) => Party

interface IdentifiedParties {
  readonly identify: IdentifyParty
  /** The hosts of the page's own domain that may belong to a tracking service, since their CNAME records could not be read. */
  readonly unresolved: readonly string[]
}

interface Options {
  /** The hosts of the page. */
  readonly own: readonly string[]
  /** Those that the page loads from. */
  readonly hosts: readonly string[]
  /** Without it, names are taken for what they say. */
  readonly dns: Pick<Dns, 'records'> | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** What services hide behind names of their customers; CDNs and hosting deliver what is the web's own. */
const cloaked: ReadonlySet<ThirdPartyCategory> = new Set(['analytics', 'advertising', 'session_replay'])

/**
 * Finds out whom the hosts belong to that a page loads from. Hosts of its own domain are its own, unless their CNAME records
 * lead to a tracking service. The page's own hosts always are.
 * @throws the signal's reason
 */
export async function identifyParties(options: Options): Promise<IdentifiedParties> {
  const { own, hosts, dns } = options
  const { findEntity } = await import('./entities.ts')
  const isOwn = (host: string) => host === '' || own.some((page) => isSameParty(page, host))
  const pageHosts = new Set(own.flatMap((host) => [host, host.replace(/^www\./, ''), `www.${host}`]))
  const suspects = [...new Set(hosts)].filter((host) => host !== '' && isOwn(host) && !pageHosts.has(host))
  const aliases = new Map<string, Party>()
  const unresolved: string[] = []
  if (dns !== undefined)
    for (const [host, { names, isComplete }] of await resolveAliases(suspects, { ...options, dns })) {
      const found = names.flatMap((alias) => {
        const entity = isOwn(alias) ? null : findEntity({ hostname: alias, pathname: '/' })
        return entity !== null && cloaked.has(entity.category)
          ? [{ entity: entity.name, category: entity.category, alias }]
          : []
      })
      if (found[0] !== undefined) aliases.set(host, found[0])
      else if (!isComplete) unresolved.push(host)
    }
  const identify: IdentifyParty = (url) => {
    if (isOwn(url.hostname)) return aliases.get(url.hostname) ?? {}
    const entity = findEntity(url)
    return entity === null ? { category: 'unknown' } : { entity: entity.name, category: entity.category }
  }
  return { identify, unresolved }
}

/** Returns whether a request to a host would need consent. One that nobody knows would not: it may be no host at all. */
export async function createConsentTest({
  decisions,
  classifications,
}: TrackingPolicy): Promise<(host: string) => boolean> {
  const { findEntity } = await import('./entities.ts')
  const policy = { decisions: { ...decisions, unknown: 'none' }, classifications } as const
  return (host) => {
    const category = findEntity({ hostname: host, pathname: '/' })?.category ?? 'unknown'
    return judgeRequest(policy, { host, phase: 'before', category, isDenied: false }) === 'violation'
  }
}
