import { behaviourOf } from './behaviours.ts'
import { createRandom, seedOf } from './random.ts'

const day = 24 * 3600 * 1000
const week = 7 * day

/** How often each authority is to be met, in relation to the others. */
const often = { "Let's Encrypt": 12, 'Sectigo Limited': 3, 'DigiCert Inc': 2, ZeroSSL: 1 } as const

type Authority = keyof typeof often

export interface HostCertificate {
  readonly authority: Authority
  readonly from: Date
  readonly until: Date
  /** What it is for. */
  readonly name: string
}

/** Certificates last for 90 days, and a hosting renews them when 30 are left. */
const [lifetime, renewal] = [90 * day, 60 * day]

/**
 * The certificate that a host shows at a time; null where it has none.
 * @param host in its ASCII form
 * @param first when the sandbox was first started: what its stories say of ends is told as of then
 */
export function certificateOf(host: string, at: Date, first = at): HostCertificate | null {
  const behaviour = behaviourOf(host)
  if (behaviour.kind === 'plain') return null
  const random = createRandom(seedOf(host))
  const authority = random.weighted(often)
  const name = behaviour.kind === 'misnamed' ? behaviour.name : host
  const lasting = (until: number) => ({
    authority,
    name,
    from: new Date(until - lifetime),
    until: new Date(until),
  })
  if (behaviour.kind === 'expired') return lasting(first.getTime() - behaviour.days * day)
  if (behaviour.kind === 'expiring') {
    const end = first.getTime() + behaviour.days * day
    return lasting(end + Math.max(0, Math.ceil((at.getTime() - end) / week)) * week)
  }
  const phase = Math.floor(random.next() * renewal)
  // Certificates know seconds.
  const renewed = Math.floor((at.getTime() - phase) / renewal) * renewal + phase
  return lasting(Math.floor(renewed / 1000) * 1000 + lifetime)
}
