import { domainStatus } from '@kustos/contract/webs'
import { regularWebs, specialWebs } from './agency.ts'
import data from './domains.json' with { type: 'json' }
import { seedNodes } from './nodes-and-categories.ts'
import type { WebDefinition } from './web.ts'

/**
 * The name servers' answer for a domain: an address of one of the nodes (`here`) or of another machine (`elsewhere`), no address
 * (`bare`), that it does not exist (`gone`), nothing (`silent`), or a refusal.
 */
export type DomainDns = 'here' | 'elsewhere' | 'bare' | 'gone' | 'silent' | 'refused'

export interface SeedDomain {
  readonly fqdn: string
  readonly customer: string
  readonly dns: DomainDns
  /** The node's address, for domains that are `here`. */
  readonly address: string
  readonly mname: string
}

export interface SeedExternalDomain extends SeedDomain {
  readonly domainprovider: string
}

type Definition = Pick<SeedDomain, 'fqdn' | 'customer' | 'dns'>

const providers: Readonly<Record<string, { name: string; mname: string }>> = data.providers
/** The providers of webs' domains that are not at the agency's registrar. */
const providersOfWebs: Readonly<Record<string, string>> = data.providersOfWebs
const parked = data.parked as readonly Definition[]
const external = data.external as readonly (Definition & { readonly provider: string })[]

/** All domains of the agency end in .test. */
const domainOf = (fqdn: string): string => fqdn.split('.').slice(-2).join('.')

function dnsOf({ columns }: WebDefinition): DomainDns {
  if (columns?.domain_status === domainStatus.extern) return 'elsewhere'
  return columns?.domain_status === domainStatus.offline ? 'gone' : 'here'
}

/** The first web of each domain. */
const websByDomain = new Map(
  [...regularWebs, ...specialWebs].toReversed().map((web) => [domainOf(web.fqdn), web]),
)
const domainsOfWebs: readonly Definition[] = [
  ...new Set([...regularWebs, ...specialWebs].map(({ fqdn }) => domainOf(fqdn))),
].flatMap((fqdn) => {
  const web = websByDomain.get(fqdn)
  return web === undefined ? [] : [{ fqdn, customer: web.customer, dns: dnsOf(web) }]
})

function createDomain({ fqdn, customer, dns }: Definition, mname: string): SeedDomain {
  const node = seedNodes.find(({ name }) => name === websByDomain.get(fqdn)?.node) ?? seedNodes[0]
  return { fqdn, customer, dns, address: node.address, mname }
}

/** At the agency's registrar. */
export const ownSeedDomains: readonly SeedDomain[] = [
  ...domainsOfWebs.filter(({ fqdn }) => providersOfWebs[fqdn] === undefined),
  ...parked,
].map((definition) => createDomain(definition, 'ns1.limitis.test'))

/** At other providers. */
export const externalSeedDomains: readonly SeedExternalDomain[] = [
  ...domainsOfWebs.map((definition) => ({ ...definition, provider: providersOfWebs[definition.fqdn] ?? '' })),
  ...external,
].flatMap((definition) => {
  const provider = providers[definition.provider]
  if (provider === undefined) return []
  return [{ ...createDomain(definition, provider.mname), domainprovider: provider.name }]
})
