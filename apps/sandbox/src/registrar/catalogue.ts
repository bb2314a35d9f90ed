import { ownSeedDomains } from '../seed/domains.ts'
import { createRandom } from '../seed/random.ts'

const earliest = Date.UTC(2009, 0, 7)
const latest = Date.UTC(2025, 11, 20)

/** The agency's domains and mailboxes as the registrar's API returns them: the same at every start, but for the ends of registrations. */
export function createCatalogue() {
  const random = createRandom(1363)
  const randomTime = () =>
    new Date(earliest + Math.floor((random.next() * (latest - earliest)) / 1000) * 1000).toISOString()
  let ending = 0
  /** Of those that are not renewed, the first ends in 12 days, the next ones each two months later. */
  const daysLeft = (index: number, auto_renew: boolean) =>
    auto_renew ? 1 + ((index * 9) % 365) : 12 + 60 * ending++
  const midnight = new Date().setUTCHours(0, 0, 0, 0)
  const domains = ownSeedDomains.map(({ fqdn, customer }, index) => {
    const created_at = randomTime()
    const auto_renew = random.chance(0.9)
    const expires_at = new Date(midnight + daysLeft(index, auto_renew) * 86_400_000).toISOString()
    return { id: `D-${10_000 + index * 7}`, fqdn, customer, created_at, auto_renew, expires_at }
  })
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
