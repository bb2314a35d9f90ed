import { crc32 } from 'node:zlib'
import { asciiFqdn, webStatus } from '@kustos/contract/webs'
import type { ProvisionedWeb } from '../nodes/provisioned-webs.ts'

export interface Subscription {
  readonly id: number
  readonly fqdn: string
  /** Plesk's status code. */
  readonly status: number | null
  readonly sysuser: string | null
  /** In bytes. */
  readonly disk_usage: number | null
  readonly sites: readonly string[]
  readonly aliases: readonly string[]
  readonly framework_name?: string | null
  readonly framework_version?: string | null
}

export interface PanelDomain {
  readonly domain: ReturnType<typeof representDomain>
  readonly subscription: Subscription
}

/** In a node's folder: the subscriptions of the inventory. */
export const inventoryFile = 'subscriptions.json'

/** Above the ids of the inventory. */
const firstProvisionedId = 1_000_000

/**
 * The subscriptions of a node: those of the inventory, replaced and extended by the webs that were provisioned since.
 */
export function mergeProvisioned(
  inventory: readonly Subscription[],
  provisioned: readonly ProvisionedWeb[],
): readonly Subscription[] {
  const hosts = new Set(provisioned.map(({ host }) => host))
  return [
    ...inventory.filter(({ fqdn }) => !hosts.has(asciiFqdn(fqdn) ?? fqdn)),
    ...provisioned.map(({ host, ...web }) => ({
      ...web,
      // The same at every start.
      id: firstProvisionedId + (crc32(host) % 8_000_000),
      status: webStatus.active,
      sites: [],
      aliases: [],
    })),
  ]
}

/** The domains of subscriptions and of their sites, which follow them. */
export const listDomains = (subscriptions: readonly Subscription[]): readonly PanelDomain[] =>
  subscriptions.flatMap((subscription) =>
    [subscription.fqdn, ...subscription.sites].map((name, index) => ({
      subscription,
      domain: representDomain(subscription, name, index),
    })),
  )

function representDomain(
  { id: subscriptionId, sysuser, aliases }: Subscription,
  name: string,
  index: number,
) {
  const isBase = index === 0
  const id = subscriptionId * 100 + index
  return {
    id,
    name,
    ascii_name: asciiFqdn(name) ?? name,
    base_domain_id: isBase ? 0 : subscriptionId * 100,
    hosting_type: sysuser === null ? 'none' : 'virtual',
    aliases: isBase ? aliases.map((alias) => ({ name: alias })) : [],
  }
}

/** The REST API's status word, which distinguishes fewer states than the code: 4 is a running backup. */
export function statusWord({ status }: Subscription): 'active' | 'suspended' | 'disabled' {
  if (status === null || status === webStatus.active || status === 4) return 'active'
  return status === webStatus.inactive ? 'disabled' : 'suspended'
}
