import { crc32 } from 'node:zlib'
import { asciiFqdn, webStatus } from '@kustos/contract/webs'
import type { Provisioned } from '../nodes/provisioned.ts'

/** A subscription as the node has it. */
export interface HostedSubscription {
  readonly id: number
  readonly fqdn: string
  /** Plesk's own number of its status. */
  readonly status: number | null
  readonly sysuser: string | null
  /** In bytes. */
  readonly disk_usage: number | null
  readonly sites: readonly string[]
  readonly aliases: readonly string[]
}

/** A domain as the REST API shows it. */
export interface TellsOfDomain {
  readonly id: number
  readonly created: string
  readonly name: string
  readonly ascii_name: string
  readonly base_domain_id: number
  readonly guid: string
  readonly hosting_type: 'virtual' | 'none'
  readonly www_root: string
  readonly aliases: readonly object[]
}

export interface PanelDomain {
  readonly told: TellsOfDomain
  readonly subscription: HostedSubscription
}

/**
 * What a node hosts by now: what it had from the start, and what was provisioned since, which the node knows best.
 * @param known as the inventory has it
 */
export function subscriptionsOf(
  known: readonly HostedSubscription[],
  provisioned: readonly Provisioned[],
): readonly HostedSubscription[] {
  const hosts = new Set(provisioned.map(({ host }) => host))
  return [
    ...known.filter(({ fqdn }) => !hosts.has(asciiFqdn(fqdn) ?? fqdn)),
    ...provisioned.map(({ host, fqdn, sysuser, disk_usage }) => ({
      id: firstProvisioned + numberOf(host),
      fqdn,
      status: webStatus.active,
      sysuser,
      disk_usage,
      sites: [],
      aliases: [],
    })),
  ]
}

/** Beyond the ids of the inventory's own. */
const firstProvisioned = 1_000_000
/** The same for a host at every start. */
const numberOf = (host: string) => crc32(host) % 8_000_000

/** The domains of subscriptions and their sites, in the order of their ids. */
export function domainsOf(subscriptions: readonly HostedSubscription[]): readonly PanelDomain[] {
  return subscriptions.flatMap((subscription) => {
    // Sites come after the domain that they belong to.
    const base = subscription.id * 100
    return [subscription.fqdn, ...subscription.sites].map((name, index): PanelDomain => {
      const id = base + index
      return {
        subscription,
        told: {
          id,
          created: '2023-10-20',
          name,
          ascii_name: asciiFqdn(name) ?? name,
          base_domain_id: index === 0 ? 0 : base,
          guid: `5a0d1c3e-0000-4000-8000-${String(id).padStart(12, '0')}`,
          hosting_type: subscription.sysuser === null ? 'none' : 'virtual',
          www_root: `/var/www/vhosts/${subscription.fqdn}/${index === 0 ? 'httpdocs' : name}`,
          aliases: index === 0 ? subscription.aliases.map(aliasOf) : [],
        },
      }
    })
  })
}

const aliasOf = (name: string) => ({
  name,
  ascii_name: asciiFqdn(name) ?? name,
  web: true,
  dns: false,
  mail: false,
  seo_redirect: true,
})

/** REST says a status in a word, which tells less than the number: 4 is a backup under way, others are kinds of off. */
export function statusWord({ status }: HostedSubscription): 'active' | 'suspended' | 'disabled' {
  if (status === null || status === webStatus.active || status === 4) return 'active'
  return status === webStatus.inactive ? 'disabled' : 'suspended'
}
