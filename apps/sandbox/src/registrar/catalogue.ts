import { ownDomainStories } from '../seed/domains.ts'
import { createRandom } from '../seed/random.ts'

/** A domain as the registrar tells of it. */
export interface TellsOfDomain {
  readonly id: string
  readonly fqdn: string
  readonly customer: string
  readonly created_at: string
  readonly auto_renew: boolean
}

/** A mailbox as the registrar tells of it. */
export interface TellsOfMailbox {
  readonly id: string
  readonly address: string
  readonly type: 'mailbox' | 'forward' | 'catch-all'
  readonly customer: string
  readonly created_at: string
}

export interface Catalogue {
  readonly domains: readonly TellsOfDomain[]
  readonly mailboxes: readonly TellsOfMailbox[]
}

/** Registered at some time from 2009 on, to the second. */
const first = Date.UTC(2009, 0, 7)
const last = Date.UTC(2025, 11, 20)

/** What lies at the registrar, the same at every start. */
export function catalogue(): Catalogue {
  const random = createRandom(1363)
  const moment = () =>
    new Date(first + Math.floor((random.next() * (last - first)) / 1000) * 1000).toISOString()
  const domains = ownDomainStories.map(({ fqdn, customer }, index) => ({
    id: `D-${10_000 + index * 7}`,
    fqdn,
    customer,
    created_at: moment(),
    auto_renew: random.chance(0.9),
  }))
  const mailboxes = domains.flatMap(({ fqdn, customer }, index) => {
    const types = { info: 'mailbox' } as Record<string, TellsOfMailbox['type']>
    if (index % 4 === 0) types.buchhaltung = 'mailbox'
    if (index % 5 === 1) types.reception = 'forward'
    if (index % 16 === 3) types['*'] = 'catch-all'
    return Object.entries(types).map(([name, type]) => ({
      id: `M-${random.hex(8)}`,
      address: `${name}@${fqdn}`,
      type,
      customer,
      created_at: moment(),
    }))
  })
  return { domains, mailboxes }
}
