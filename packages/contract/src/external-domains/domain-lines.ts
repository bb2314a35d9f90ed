import { type Message, message } from '../messages/message.ts'
import { fqdn } from '../webs/fqdn.ts'
import { domainMistake, normalizeDomain } from './domain-name.ts'

export type DomainLine = {
  /** Counted from 1. */
  readonly line: number
  /** Trimmed. */
  readonly typed: string
} & (
  | { readonly verdict: 'valid'; readonly fqdn: string }
  | { readonly verdict: 'empty' }
  /** `of` is the earlier line with the same domain, in any spelling. */
  | { readonly verdict: 'duplicate'; readonly fqdn: string; readonly of: number }
  | { readonly verdict: 'listed'; readonly fqdn: string }
  | { readonly verdict: 'invalid'; readonly message: Message }
)

/**
 * Splits a pasted text into lines and checks each of them.
 * @param listed the domains that already exist, normalized by `normalizeDomain`
 * @param own our own domains, normalized likewise; they are not external
 */
export function parseDomainLines(
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
      const normalized = normalizeDomain(name)
      if (own.has(normalized))
        return { ...line, verdict: 'invalid', message: message('external_domain_is_own') }
      const of = seen.get(normalized)
      if (of !== undefined) return { ...line, verdict: 'duplicate', fqdn: name, of }
      seen.set(normalized, line.line)
      return { ...line, verdict: listed.has(normalized) ? 'listed' : 'valid', fqdn: name }
    })
}
