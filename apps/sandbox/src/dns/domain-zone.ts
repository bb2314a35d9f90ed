import { normalizeDomain } from '@kustos/contract/external-domains'
import type { Answer } from 'dns-packet'
import type { SeedDomain } from '../seed/domains.ts'
import { type DnsReply, foreignAddress, noSuchName, ttlSeconds, type Zone } from './zones.ts'

/**
 * The SOA and A records of the seeded domains.
 * @param hosted ASCII names of webs, whose addresses are in another zone
 */
export function registeredDomains(domains: readonly SeedDomain[], hosted: ReadonlySet<string>): Zone {
  const known = new Map(domains.map((domain) => [normalizeDomain(domain.fqdn), domain]))
  return ({ name, type }) => {
    const host = name.toLowerCase()
    const apex = host.split('.').slice(-2).join('.')
    const isApex = host === apex
    const domain = known.get(apex)
    if (!domain) return type === 'SOA' && isApex ? soa(name, 'ns1.nameserver.test') : null
    if (domain.dns === 'silent') return { failure: 'no reply', answers: [] }
    if (domain.dns === 'refused') return { failure: 'refused', answers: [] }
    if (domain.dns === 'gone') return noSuchName
    if (isApex && type === 'SOA') return soa(name, domain.mname)
    if ((!isApex && host !== `www.${apex}`) || hosted.has(host)) return null
    if (domain.dns === 'bare') return isApex ? { answers: [] } : noSuchName
    const data = domain.dns === 'here' ? domain.address : foreignAddress(apex)
    return { answers: type === 'A' ? [{ type, name, ttl: ttlSeconds, data }] : [] }
  }
}

function soa(name: string, mname: string): DnsReply {
  const data: Extract<Answer, { type: 'SOA' }>['data'] = {
    mname,
    rname: `hostmaster.${mname.split('.').slice(-2).join('.')}`,
    serial: 2026_01_01_01,
    refresh: 7200,
    retry: 3600,
    expire: 1_209_600,
    minimum: 300,
  }
  return { answers: [{ type: 'SOA', name, ttl: ttlSeconds, data }] }
}
