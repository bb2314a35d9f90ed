import { generateKeyPairSync } from 'node:crypto'
import { normalizeDomain } from '@kustos/contract/external-domains'
import type { Answer } from 'dns-packet'
import type { SeedDomain } from '../seed/domains.ts'
import { ttlSeconds, type Zone } from './zones.ts'

const createKey = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')

interface MailSetup {
  readonly mx: readonly string[]
  readonly spf: readonly string[]
  readonly dmarc: string | null
  /** The size of the key under `selector1`; null for none. */
  readonly bits: 1024 | 2048 | null
}

const good: MailSetup = {
  mx: ['10 mx1.limitis.test', '20 mx2.limitis.test'],
  spf: ['v=spf1 mx include:_spf.limitis.test -all'],
  dmarc: 'v=DMARC1; p=reject; rua=mailto:dmarc@limitis.test',
  bits: 2048,
}

/** Most domains are set up well, the others in ways that are seen often. */
const setups: readonly MailSetup[] = [
  good,
  good,
  { ...good, dmarc: 'v=DMARC1; p=none' },
  good,
  { ...good, dmarc: null, bits: 1024 },
  good,
  { ...good, spf: ['v=spf1 a mx +all'] },
  { mx: ['0 .'], spf: ['v=spf1 -all'], dmarc: 'v=DMARC1; p=reject', bits: null },
  { ...good, spf: [`v=spf1 ${'a mx '.repeat(6)}include:_spf.limitis.test ~all`] },
  { ...good, spf: ['v=spf1 mx -all', 'v=spf1 include:_spf.limitis.test ~all'], dmarc: null },
]

/** The mail servers, texts and name servers of the seeded domains, as far as they exist. */
export function mailZone(domains: readonly SeedDomain[]): Zone {
  const keys = new Map<1024 | 2048, string>()
  const keyOf = (bits: 1024 | 2048) => {
    const key = keys.get(bits) ?? createKey(bits)
    keys.set(bits, key)
    return key
  }
  const known = new Map(
    domains.flatMap((domain, index) => {
      const setup = setups[index % setups.length]
      const exists = domain.dns === 'here' || domain.dns === 'elsewhere'
      return setup && exists
        ? [[normalizeDomain(domain.fqdn), { ...setup, mname: domain.mname }] as const]
        : []
    }),
  )
  return ({ name, type }) => {
    const host = name.toLowerCase()
    const texts = (all: readonly string[]) => ({
      answers: all.map(
        (text): Answer => ({ type: 'TXT', name, ttl: ttlSeconds, data: text.match(/.{1,255}/g) ?? [] }),
      ),
    })
    if (host === '_spf.limitis.test')
      return type === 'TXT' ? texts(['v=spf1 ip4:192.0.2.0/24 -all']) : { answers: [] }
    if (/^mx[12]\.limitis\.test$/.test(host)) return null
    const apex = host.split('.').slice(-2).join('.')
    const domain = known.get(apex)
    if (domain === undefined) return null
    const below = host.slice(0, -apex.length - 1)
    if (below === '_dmarc') return texts(type === 'TXT' && domain.dmarc !== null ? [domain.dmarc] : [])
    if (below.endsWith('_domainkey')) {
      const has = type === 'TXT' && below === 'selector1._domainkey' && domain.bits !== null
      return texts(has ? [`v=DKIM1; k=rsa; p=${keyOf(domain.bits)}`] : [])
    }
    if (below !== '') return null
    if (type === 'TXT') return texts(domain.spf)
    if (type === 'NS')
      return {
        answers: [domain.mname, domain.mname.replace('1', '2')].map(
          (data): Answer => ({ type, name, ttl: ttlSeconds, data }),
        ),
      }
    if (type !== 'MX') return null
    return {
      answers: domain.mx.map((text): Answer => {
        const [preference, exchange = '.'] = text.split(' ')
        return { type, name, ttl: ttlSeconds, data: { preference: Number(preference), exchange } }
      }),
    }
  }
}
