import { comparedDomain } from '@kustos/contract/external-domains'
import type { Answer } from 'dns-packet'
import type { DomainStory } from '../seed/domains.ts'
import { addressElsewhere, type Reply, ttl, type Zone } from './names.ts'

const nothing: Reply = { answers: [] }
const unknown: Reply = { unknown: true, answers: [] }

/**
 * Domains as their stories have them: their SOA records, and where they lead.
 * @param hosted names of webs, in ASCII: where those lead is another zone's
 */
export function registeredDomains(stories: readonly DomainStory[], hosted: ReadonlySet<string>): Zone {
  const known = new Map(stories.map((story) => [comparedDomain(story.fqdn), story]))
  return ({ name, type }) => {
    const host = name.toLowerCase()
    const domain = host.split('.').slice(-2).join('.')
    const story = known.get(domain)
    // Whatever else there is under the sun has a name server too.
    if (!story) return type === 'SOA' && host === domain ? soa(name, 'ns1.nameserver.test') : null
    if (story.where === 'silent') return { silent: true, answers: [] }
    if (story.where === 'refused') return { refused: true, answers: [] }
    if (story.where === 'gone') return unknown
    if (host === domain && type === 'SOA') return soa(name, story.mname)
    const isItself = host === domain || host === `www.${domain}`
    if (!isItself || hosted.has(host)) return null
    if (story.where === 'bare') return host === domain ? nothing : unknown
    const data = story.where === 'here' ? story.address : addressElsewhere(domain)
    return { answers: type === 'A' ? [{ type, name, ttl, data }] : [] }
  }
}

function soa(name: string, mname: string): Reply {
  const data: Extract<Answer, { type: 'SOA' }>['data'] = {
    mname,
    rname: `hostmaster.${mname.split('.').slice(-2).join('.')}`,
    serial: 2026_01_01_01,
    refresh: 7200,
    retry: 3600,
    expire: 1_209_600,
    minimum: 300,
  }
  return { answers: [{ type: 'SOA', name, ttl, data }] }
}
