import type { MailFinding } from '@kustos/contract/domains'
import type { Message } from '@kustos/contract/messages'
import { createFinding, type MailDns, type Part } from './report.ts'
import { parseTags } from './tags.ts'

const policies = ['none', 'quarantine', 'reject'] as const
type Policy = (typeof policies)[number]

const finding = createFinding.bind(null, 'dmarc')
const isPolicy = (value: string | undefined): value is Policy => policies.some((policy) => policy === value)

/**
 * Checks the DMARC record that applies to a domain (RFC 7489): its own, otherwise that of its organizational domain.
 * @param organization the registrable domain, which may be the domain itself
 */
export async function checkDmarc(domain: string, organization: string, dns: MailDns): Promise<Part<'dmarc'>> {
  for (const owner of new Set([domain, organization])) {
    const answer = await dns.txt(`_dmarc.${owner}`)
    if (answer.records === null) return unknown(answer.reason)
    const records = answer.records.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text))
    const [record] = records
    if (record === undefined) continue
    if (records.length > 1)
      return {
        dmarc: { record: records.join('\n'), domain: owner, policy: null },
        findings: [finding('critical', { code: 'dmarc_multiple', params: { count: records.length } })],
      }
    return judge(record, owner, owner !== domain)
  }
  return {
    dmarc: { record: null, domain: null, policy: null },
    findings: [finding('warning', { code: 'dmarc_missing', params: { domain: organization } })],
  }
}

function judge(record: string, owner: string, isInherited: boolean): Part<'dmarc'> {
  const tags = parseTags(record)
  const p = tags?.get('p')?.toLowerCase()
  const sp = tags?.get('sp')?.toLowerCase()
  const invalid = (tag: string): Part<'dmarc'> => ({
    dmarc: { record, domain: owner, policy: null },
    findings: [finding('critical', { code: 'dmarc_invalid', params: { tag } })],
  })
  if (tags === null) return invalid('tag=value')
  if (!isPolicy(p)) return invalid('p')
  if (sp !== undefined && !isPolicy(sp)) return invalid('sp')
  const percent = Number(tags.get('pct') ?? '100')
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) return invalid('pct')
  const policy = isInherited ? (sp ?? p) : p
  const findings: MailFinding[] = []
  if (policy === 'none') findings.push(finding('warning', { code: 'dmarc_policy_none' }))
  else if (percent < 100) findings.push(finding('warning', { code: 'dmarc_partial', params: { percent } }))
  if (!isInherited && sp === 'none' && p !== 'none')
    findings.push(finding('warning', { code: 'dmarc_subdomains_open' }))
  if (!tags.get('rua')) findings.push(finding('notice', { code: 'dmarc_without_reports' }))
  return { dmarc: { record, domain: owner, policy }, findings }
}

const unknown = (reason: Message): Part<'dmarc'> => ({
  dmarc: { record: null, domain: null, policy: null },
  findings: [finding('unknown', { code: 'dmarc_unknown', params: { reason } })],
})
