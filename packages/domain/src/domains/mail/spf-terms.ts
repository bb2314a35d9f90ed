import { isIP } from 'node:net'

/** A mechanism or a modifier of an SPF record (RFC 7208, 12). */
export interface SpfTerm {
  /** As it is written. */
  readonly text: string
  readonly name: string
  readonly qualifier: '+' | '-' | '~' | '?'
  /** The domain of the term; null if it is that of the record, undefined if it has a macro, so that it depends on each mail. */
  readonly domain: string | null | undefined
}

const versionPattern = /^v=spf1( |$)/i

/** The SPF records among the texts of a name. */
export const spfRecordsOf = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => versionPattern.test(text))

const mechanism = /^([+\-~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?:[:/](.*))?$/i
const modifier = /^([a-z][a-z0-9_.-]*)=(.*)$/i
const domainSpec = /^[\w%{}.+/=-]+$/

/** @returns the terms in order, or the first one that is invalid */
export function parseSpf(record: string): readonly SpfTerm[] | { readonly invalid: string } {
  const terms: SpfTerm[] = []
  for (const text of record.split(' ').slice(1)) {
    if (text === '') continue
    const term = parseTerm(text)
    if (term === null) return { invalid: text }
    terms.push(term)
  }
  return terms
}

function parseTerm(text: string): SpfTerm | null {
  const [, qualifier, found = '', value] = mechanism.exec(text) ?? []
  if (qualifier !== undefined) return parseMechanism(text, qualifier || '+', found.toLowerCase(), value)
  const [, name = '', target = ''] = modifier.exec(text) ?? []
  if (name === '') return null
  if (name.toLowerCase() === 'redirect' && !domainSpec.test(target)) return null
  return { text, name: name.toLowerCase(), qualifier: '+', domain: plainDomain(target) }
}

const needsDomain = new Set(['include', 'exists'])
const takesDomain = new Set(['include', 'exists', 'a', 'mx', 'ptr'])

function parseMechanism(
  text: string,
  qualifier: string,
  name: string,
  value: string | undefined,
): SpfTerm | null {
  const sign = qualifier as SpfTerm['qualifier']
  if (name === 'all') return value === undefined ? { text, name, qualifier: sign, domain: null } : null
  if (name === 'ip4' || name === 'ip6')
    return value !== undefined && isNetwork(value, name)
      ? { text, name, qualifier: sign, domain: null }
      : null
  if (!takesDomain.has(name)) return null
  // After a slash there is the length of a prefix only.
  const isPrefixOnly = value !== undefined && text[text.length - value.length - 1] === '/'
  if (isPrefixOnly)
    return /^(\/\d{1,2})?(\/\/\d{1,3})?$/.test(`/${value}`) && !needsDomain.has(name)
      ? own(text, name, sign)
      : null
  if (value === undefined) return needsDomain.has(name) ? null : own(text, name, sign)
  const spec = value.replace(prefixLengths, '')
  return domainSpec.test(spec) ? { text, name, qualifier: sign, domain: plainDomain(spec) } : null
}

const prefixLengths = /(?:\/\d{1,2})?(?:\/\/\d{1,3})?$/

const own = (text: string, name: string, qualifier: SpfTerm['qualifier']): SpfTerm => ({
  text,
  name,
  qualifier,
  domain: null,
})

const plainDomain = (spec: string): string | undefined =>
  spec.includes('%') ? undefined : spec.toLowerCase().replace(/\.$/, '')

function isNetwork(value: string, name: 'ip4' | 'ip6'): boolean {
  const [address = '', length, ...more] = value.split('/')
  if (more.length > 0) return false
  const max = name === 'ip4' ? 32 : 128
  if (length !== undefined && !(/^\d{1,3}$/.test(length) && Number(length) <= max)) return false
  return isIP(address) === (name === 'ip4' ? 4 : 6)
}
