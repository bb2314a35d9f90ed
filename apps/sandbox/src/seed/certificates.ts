import { findBehaviour } from './behaviours.ts'
import { createRandom, hashText } from './random.ts'

const dayMs = 24 * 3600 * 1000
const hourMs = 3600 * 1000
const weekMs = 7 * dayMs
/** Certificates are valid for 90 days and renewed 30 days before they expire. */
const usual = { lifetimeMs: 90 * dayMs, renewalMs: 60 * dayMs }
/** Those of six days are renewed in the middle of their lifetime, as by certbot. */
const shortLived = { lifetimeMs: 160 * hourMs, renewalMs: 80 * hourMs }

const authorityWeights = { "Let's Encrypt": 12, 'Sectigo Limited': 3, 'DigiCert Inc': 2, ZeroSSL: 1 } as const

export interface HostCertificate {
  readonly authority: keyof typeof authorityWeights
  readonly from: Date
  readonly until: Date
  /** The host name in the certificate. */
  readonly name: string
}

/**
 * The certificate of a host at a time; null if it has none.
 * @param host the ASCII name
 * @param firstStart when the sandbox was started first, which expiry dates are relative to
 */
export function createCertificate(host: string, at: Date, firstStart = at): HostCertificate | null {
  const behaviour = findBehaviour(host)
  if (behaviour.kind === 'plain') return null
  const random = createRandom(hashText(host))
  const authority = random.weighted(authorityWeights)
  const { lifetimeMs, renewalMs } = behaviour.kind === 'short-lived' ? shortLived : usual
  const name = behaviour.kind === 'misnamed' ? behaviour.name : host
  const validUntil = (until: number) => ({
    authority,
    name,
    from: new Date(until - lifetimeMs),
    until: new Date(until),
  })
  if (behaviour.kind === 'expired') return validUntil(firstStart.getTime() - behaviour.days * dayMs)
  if (behaviour.kind === 'expiring') {
    const until = firstStart.getTime() + behaviour.days * dayMs
    return validUntil(until + Math.max(0, Math.ceil((at.getTime() - until) / weekMs)) * weekMs)
  }
  const phase = Math.floor(random.next() * renewalMs)
  const renewedAt = Math.floor((at.getTime() - phase) / renewalMs) * renewalMs + phase
  // Certificates have a resolution of one second.
  return validUntil(Math.floor(renewedAt / 1000) * 1000 + lifetimeMs)
}
