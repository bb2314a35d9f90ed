import { type Message, message } from '../messages/message.ts'
import { fqdn } from '../webs/fqdn.ts'
import { comparedDomain, domainMistake } from './domain-name.ts'

/** A line of a pasted text, and what is to be said of it. */
export type DomainLine = {
  /** Counted from 1. */
  readonly line: number
  /** As it was typed, without the blanks around it. */
  readonly typed: string
} & (
  | { readonly verdict: 'valid'; readonly fqdn: string }
  | { readonly verdict: 'empty' }
  /** The same domain, however it is spelled, stands on an earlier line. */
  | { readonly verdict: 'duplicate'; readonly fqdn: string; readonly of: number }
  /** It is in the list already. */
  | { readonly verdict: 'listed'; readonly fqdn: string }
  | { readonly verdict: 'invalid'; readonly message: Message }
)

/**
 * Splits a pasted text into lines, and judges each.
 * @param listed domains that there are already, in the form in which they are compared (`comparedDomain`)
 * @param own the same of our own domains, which are not external
 */
export function domainLines(
  text: string,
  listed: ReadonlySet<string> = new Set(),
  own: ReadonlySet<string> = new Set(),
): readonly DomainLine[] {
  const seen = new Map<string, number>()
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((raw, index): DomainLine => {
      const typed = raw.trim()
      const line = { line: index + 1, typed }
      if (typed === '') return { ...line, verdict: 'empty' }
      const mistake = domainMistake(typed)
      if (mistake !== null) return { ...line, verdict: 'invalid', message: mistake }
      const name = fqdn.parse(typed)
      const compared = comparedDomain(name)
      if (own.has(compared))
        return { ...line, verdict: 'invalid', message: message('external_domain_is_own') }
      const of = seen.get(compared)
      if (of !== undefined) return { ...line, verdict: 'duplicate', fqdn: name, of }
      seen.set(compared, line.line)
      return { ...line, verdict: listed.has(compared) ? 'listed' : 'valid', fqdn: name }
    })
}
