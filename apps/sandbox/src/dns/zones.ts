import { isIP } from 'node:net'
import type { Answer, Question } from 'dns-packet'
import { loopback } from '../listen.ts'

export interface DnsReply {
  /** No answers mean that the name has no record of this type. */
  readonly answers: readonly Answer[]
  readonly failure?: 'no such name' | 'refused' | 'no reply'
}

/** Answers for some names; null for all others. */
export type Zone = (question: Question) => DnsReply | null

/** Short, so that changes in the sandbox take effect soon. */
export const ttlSeconds = 30

export const noSuchName: DnsReply = { failure: 'no such name', answers: [] }

const address = (name: string, data: string, type: 'A' | 'AAAA' = 'A'): Answer => ({
  type,
  name,
  ttl: ttlSeconds,
  data,
})

export const rejectNames =
  (names: ReadonlySet<string>): Zone =>
  ({ name }) =>
    names.has(name.toLowerCase()) ? noSuchName : null

/** Names that point to someone else's machine, in a network for documentation (RFC 5737). */
export const resolveToForeignAddress =
  (names: ReadonlySet<string>): Zone =>
  ({ name, type }) => {
    const host = name.toLowerCase()
    if (!names.has(host)) return null
    return { answers: type === 'A' ? [address(name, foreignAddress(host))] : [] }
  }

/**
 * Names with two addresses: the sandbox's, which clients connect to because it is the first one, and the configured one, which
 * Kustos compares.
 * @param addressOf IPv4 or IPv6 address by the ASCII name; undefined if the name is unknown
 */
export const configured =
  (addressOf: (host: string) => string | undefined, sandbox = loopback): Zone =>
  ({ name, type }) => {
    const own = addressOf(name.toLowerCase())
    if (own === undefined) return null
    const ownType = isIP(own) === 6 ? 'AAAA' : 'A'
    return {
      answers: [
        ...(type === 'A' ? [address(name, sandbox)] : []),
        ...(type === ownType ? [address(name, own, ownType)] : []),
      ],
    }
  }

/** Gives names an IPv6 address at which nothing listens, besides the IPv4 addresses of another zone. */
export const withDeadIpv6 =
  (names: ReadonlySet<string>): Zone =>
  ({ name, type }) =>
    type === 'AAAA' && names.has(name.toLowerCase()) ? { answers: [address(name, '::1', 'AAAA')] } : null

export const resolveTo =
  (sandbox: string): Zone =>
  ({ name, type }) => ({ answers: type === 'A' ? [address(name, sandbox)] : [] })

/** The same for a name at every start. */
export function foreignAddress(host: string): string {
  const hash = [...host].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973, 7)
  return `203.0.113.${100 + (hash % 150)}`
}
