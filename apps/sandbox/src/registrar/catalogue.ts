import { ownSeedDomains } from '../seed/domains.ts'
import { createRandom } from '../seed/random.ts'

const earliest = Date.UTC(2009, 0, 7)
const latest = Date.UTC(2025, 11, 20)

/** The agency's domains and mailboxes as the registrar's API returns them, the same at every start. */
export function createCatalogue() {
  const random = createRandom(1363)
  const randomTime = () =>
    new Date(earliest + Math.floor((random.next() * (latest - earliest)) / 1000) * 1000).toISOString()
  const domains = ownSeedDomains.map(({ fqdn, customer }, index) => ({
    id: `D-${10_000 + index * 7}`,
    fqdn,
    customer,
    created_at: randomTime(),
    auto_renew: random.chance(0.9),
  }))
  const mailboxes = domains.flatMap(({ fqdn, customer }, index) => {
    const types: Record<string, 'mailbox' | 'forward' | 'catch-all'> = { info: 'mailbox' }
    if (index % 4 === 0) types.buchhaltung = 'mailbox'
    if (index % 5 === 1) types.reception = 'forward'
    if (index % 16 === 3) types['*'] = 'catch-all'
    return Object.entries(types).map(([name, type]) => ({
      id: `M-${random.hex(8)}`,
      address: `${name}@${fqdn}`,
      type,
      customer,
      created_at: randomTime(),
    }))
  })
  return { domains, mailboxes }
}
