import { createCatalogue } from '../registrar/catalogue.ts'
import { externalSeedDomains } from '../seed/domains.ts'
import type { RegistryDomain } from './index.ts'

const dayMs = 86_400_000

/** What the registry knows: of own domains what the registrar says, of others ends from five days on. Every eighth has none. */
export function createRegistrations(): readonly RegistryDomain[] {
  const own = createCatalogue().domains.map(({ fqdn, expires_at }) => ({
    fqdn,
    expiresAt: expires_at,
    registrar: 'Limitis',
  }))
  const midnight = new Date().setUTCHours(0, 0, 0, 0)
  const external = externalSeedDomains
    .filter(({ dns }) => dns !== 'gone')
    .map(({ fqdn, domainprovider }, index) => ({
      fqdn,
      expiresAt:
        index % 8 === 7 ? null : new Date(midnight + (5 + ((index * 23) % 360)) * dayMs).toISOString(),
      registrar: domainprovider,
    }))
  return [...own, ...external]
}
