import type { MailFinding } from '@kustos/contract/domains'
import type { Message } from '@kustos/contract/messages'
import { createFinding, type MailDns, type Part } from './report.ts'
import { parseSpf, type SpfTerm, spfRecordsOf } from './spf-terms.ts'

/** RFC 7208, 4.6.4. */
const maxSpfLookups = 10
const maxVoidLookups = 2
const manySpfLookups = 8
/** Where counting ends, so that no record makes a check endless. */
const maxCounted = 40

const countedTerms = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])

const finding = createFinding.bind(null, 'spf')

/**
 * Checks the SPF record of a domain as a receiver that evaluates all of it: with every include and redirect, and the DNS lookups
 * that they need. Terms with macros count, but are not followed.
 */
export async function checkSpf(domain: string, dns: MailDns): Promise<Part<'spf'>> {
  const answer = await dns.txt(domain)
  if (answer.records === null) return unknown(answer.reason)
  const records = spfRecordsOf(answer.records)
  const [record] = records
  if (record === undefined)
    return {
      spf: { record: null, lookups: null, void_lookups: null },
      findings: [finding('warning', { code: 'spf_missing', params: { domain } })],
    }
  if (records.length > 1)
    return {
      spf: { record: records.join('\n'), lookups: null, void_lookups: null },
      findings: [finding('critical', { code: 'spf_multiple', params: { count: records.length } })],
    }
  const walk: Walk = { dns, lookups: 0, voids: new Set(), findings: [], failure: null, end: null }
  await walkRecord(walk, record, domain, [domain])
  return {
    spf: {
      record,
      lookups: walk.failure === null ? walk.lookups : null,
      void_lookups: walk.failure === null ? walk.voids.size : null,
    },
    findings: [
      ...walk.findings,
      ...(walk.failure === null ? countFindings(walk) : [unknownFinding(walk.failure)]),
      ...endFindings(walk),
    ],
  }
}

interface Walk {
  readonly dns: MailDns
  lookups: number
  /** Names that were asked for in vain. */
  readonly voids: Set<string>
  readonly findings: MailFinding[]
  /** Why the count is incomplete. */
  failure: Message | null
  /** The term that decides about all others; null if there is none. */
  end: SpfTerm | null
}

/** @param path the domains whose records led here, the record's own last */
async function walkRecord(
  walk: Walk,
  record: string,
  domain: string,
  path: readonly string[],
): Promise<void> {
  const terms = parseSpf(record)
  if ('invalid' in terms) {
    walk.findings.push(
      finding('critical', { code: 'spf_term_invalid', params: { term: terms.invalid, domain } }),
    )
    return
  }
  const all = terms.findIndex(({ name }) => name === 'all')
  // What comes after "all" is ignored, and a redirect wherever it stands.
  const effective = all === -1 ? terms : terms.slice(0, all).filter(({ name }) => name !== 'redirect')
  const redirect = effective.find(({ name }) => name === 'redirect')
  const isDeciding = path.length === 1 || walk.end?.name === 'redirect'
  if (isDeciding) walk.end = terms[all] ?? redirect ?? null
  for (const term of effective) {
    if (!countedTerms.has(term.name) || walk.lookups >= maxCounted || walk.failure !== null) continue
    walk.lookups += 1
    const target = term.domain === null ? domain : term.domain
    if (term.name === 'ptr') reportPtr(walk)
    else if (target !== undefined)
      await (term.name === 'include' || term.name === 'redirect'
        ? follow(walk, term, target, path)
        : resolve(walk, term, target))
  }
}

async function follow(walk: Walk, term: SpfTerm, target: string, path: readonly string[]): Promise<void> {
  if (path.includes(target)) {
    walk.findings.push(finding('critical', { code: 'spf_loop', params: { term: term.text, domain: target } }))
    return
  }
  const answer = await walk.dns.txt(target)
  if (answer.records === null) {
    walk.failure = answer.reason
    return
  }
  const [record, ...more] = spfRecordsOf(answer.records)
  if (answer.records.length === 0) walk.voids.add(target)
  if (record === undefined || more.length > 0) {
    const params = { term: term.text, domain: target }
    walk.findings.push(finding('critical', { code: 'spf_include_without_record', params }))
    return
  }
  const isInclude = term.name === 'include'
  const { end } = walk
  // The end of an included record decides nothing.
  if (isInclude) walk.end = null
  await walkRecord(walk, record, target, [...path, target])
  if (isInclude) walk.end = end
}

async function resolve(walk: Walk, { name }: SpfTerm, target: string): Promise<void> {
  const answer = await (name === 'mx' ? walk.dns.mx(target) : walk.dns.addresses(target))
  if (answer.records === null) walk.failure = answer.reason
  else if (answer.records.length === 0) walk.voids.add(target)
}

function reportPtr({ findings }: Walk): void {
  if (findings.every(({ advice_code: code }) => code !== 'spf_ptr'))
    findings.push(finding('notice', { code: 'spf_ptr' }))
}

function countFindings({ lookups: count, voids }: Walk): readonly MailFinding[] {
  const max = maxSpfLookups
  return [
    ...(count > max
      ? [finding('critical', { code: 'spf_too_many_lookups', params: { count, max } })]
      : count >= manySpfLookups
        ? [finding('notice', { code: 'spf_many_lookups', params: { count, max } })]
        : []),
    ...(voids.size > maxVoidLookups
      ? [
          finding('warning', {
            code: 'spf_void_lookups',
            params: { names: [...voids].toSorted().join(', '), max: maxVoidLookups },
          }),
        ]
      : []),
  ]
}

function endFindings({ end, findings }: Walk): readonly MailFinding[] {
  if (findings.some(({ advice_code: code }) => code === 'spf_term_invalid')) return []
  if (end?.name === 'all' && end.qualifier === '+')
    return [finding('critical', { code: 'spf_allows_all', params: { term: end.text } })]
  // Where a redirect leads to was not found, or cannot be known.
  if (end?.name === 'redirect') return []
  return end === null || end.qualifier === '?' ? [finding('warning', { code: 'spf_without_end' })] : []
}

const unknownFinding = (reason: Message): MailFinding =>
  createFinding('spf', 'unknown', { code: 'spf_unknown', params: { reason } })

const unknown = (reason: Message): Part<'spf'> => ({
  spf: { record: null, lookups: null, void_lookups: null },
  findings: [unknownFinding(reason)],
})
