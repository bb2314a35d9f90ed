import { isIP } from 'node:net'
import type { Answer, Question } from 'dns-packet'

/** What a name server says to a question. */
export interface Reply {
  /** There is no such name at all. */
  readonly unknown?: boolean
  /** The name server does not want to talk about it. */
  readonly refused?: boolean
  /** It says nothing at all. */
  readonly silent?: boolean
  /** None where the name exists but has no record of this type. */
  readonly answers: readonly Answer[]
}

/** Answers for some names; null for those that are another's. */
export type Zone = (question: Question) => Reply | null

const loopback = '127.0.0.1'
/** In seconds: what changes in the sandbox is to be seen soon. */
export const ttl = 30

const address = (name: string, data: string, type: 'A' | 'AAAA' = 'A'): Answer => ({ type, name, ttl, data })

/** Names that nobody has registered any more. */
export const withoutNames =
  (names: ReadonlySet<string>): Zone =>
  ({ name }) =>
    names.has(name.toLowerCase()) ? { unknown: true, answers: [] } : null

/** Names that point to a machine of somebody else's: an address of a network kept for documentation (RFC 5737). */
export const elsewhere =
  (names: ReadonlySet<string>): Zone =>
  ({ name, type }) => {
    const host = name.toLowerCase()
    if (!names.has(host)) return null
    return { answers: type === 'A' ? [address(name, addressElsewhere(host))] : [] }
  }

/**
 * Names that are here, and say that they are also where staff have them: who connects takes the first address, which is
 * this machine's, and who compares finds the other.
 * @param addressOf IPv4 or IPv6, by the name in ASCII; undefined for names that are nobody's
 */
export const configured =
  (addressOf: (host: string) => string | undefined): Zone =>
  ({ name, type }) => {
    const own = addressOf(name.toLowerCase())
    if (own === undefined) return null
    const kind = isIP(own) === 6 ? 'AAAA' : 'A'
    return {
      answers: [
        ...(type === 'A' ? [address(name, loopback)] : []),
        ...(type === kind ? [address(name, own, kind)] : []),
      ],
    }
  }

/** Every other name: it is here. */
export const everythingHere: Zone = ({ name, type }) => ({
  answers: type === 'A' ? [address(name, loopback)] : [],
})

/** The same for a name at every start. */
export function addressElsewhere(host: string): string {
  const sum = [...host].reduce((total, sign) => (total * 31 + (sign.codePointAt(0) ?? 0)) % 9973, 7)
  return `203.0.113.${100 + (sum % 150)}`
}
