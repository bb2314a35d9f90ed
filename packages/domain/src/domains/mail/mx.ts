import type { Message } from '@kustos/contract/messages'
import { createFinding, type MailDns, type Part } from './report.ts'

const finding = createFinding.bind(null, 'mx')
/** RFC 7505. */
const nullMx = '0 .'
/** Mail goes to the preferred hosts; a domain may name thousands, whose lookups would disturb all others. */
const maxHosts = 20

/** Checks the mail servers of a domain. */
export async function checkMx(domain: string, dns: MailDns): Promise<Part<'mx'>> {
  const answer = await dns.mx(domain)
  if (answer.records === null) return unknown([], answer.reason)
  const mx = [...answer.records]
  if (mx.length === 0)
    return { mx, findings: [finding('notice', { code: 'mx_missing', params: { domain } })] }
  const named = mx.map(parseRecord).filter(({ host }) => host !== '.')
  if (named.length < mx.length && (mx.length > 1 || mx[0] !== nullMx))
    return { mx, findings: [finding('critical', { code: 'mx_null_with_others' })] }
  const preferred = named.toSorted((a, b) => a.preference - b.preference).slice(0, maxHosts)
  const found = await Promise.all(
    preferred.map(async ({ host }) => ({ host, ...(await dns.addresses(host)) })),
  )
  const failed = found.find((one) => one.records === null)
  if (failed?.records === null) return unknown(mx, failed.reason)
  return {
    mx,
    findings: found
      .filter(({ records }) => records?.length === 0)
      .map(({ host }) => finding('warning', { code: 'mx_host_missing', params: { host } })),
  }
}

function parseRecord(record: string) {
  const [preference = '', host = ''] = record.split(' ')
  return { preference: Number(preference), host }
}

const unknown = (mx: string[], reason: Message): Part<'mx'> => ({
  mx,
  findings: [finding('unknown', { code: 'mx_unknown', params: { reason } })],
})
