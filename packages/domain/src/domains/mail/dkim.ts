import { createPublicKey } from 'node:crypto'
import type { MailFinding } from '@kustos/contract/domains'
import type { Message } from '@kustos/contract/messages'
import { createFinding, type MailDns, type Part } from './report.ts'
import { parseTags } from './tags.ts'

/** RFC 8301: receivers refuse shorter keys. */
const minBits = 1024
const goodBits = 2048

const finding = createFinding.bind(null, 'dkim')

interface DkimKey {
  readonly type: string
  readonly bits: number | null
  readonly isTesting: boolean
}

/** Reads a DKIM key record (RFC 6376, 3.6.1; RFC 8463). @returns null if the text is none, `revoked` if its key is empty */
export function readDkimKey(text: string): DkimKey | 'revoked' | 'invalid' | null {
  const tags = parseTags(text)
  const key = tags?.get('p')
  if (!tags || key === undefined || (tags.has('v') && tags.get('v') !== 'DKIM1')) return null
  const packed = key.replace(/\s/g, '')
  if (packed === '') return 'revoked'
  const type = (tags.get('k') ?? 'rsa').toLowerCase()
  const isTesting = (tags.get('t') ?? '').split(':').some((flag) => flag.trim() === 'y')
  const der = Buffer.from(packed, 'base64')
  if (type === 'ed25519') return der.length === 32 ? { type, bits: 256, isTesting } : 'invalid'
  if (type !== 'rsa') return { type, bits: null, isTesting }
  const bits = rsaBits(der)
  return bits === null ? 'invalid' : { type, bits, isTesting }
}

/** Some publish the bare key (PKCS#1), which receivers accept too. */
function rsaBits(der: Buffer): number | null {
  for (const type of ['spki', 'pkcs1'] as const)
    try {
      return createPublicKey({ key: der, format: 'der', type }).asymmetricKeyDetails?.modulusLength ?? null
    } catch {
      // It may have the other form.
    }
  return null
}

/** Checks the keys of a domain under known selectors. Others cannot be found out from DNS. */
export async function checkDkim(
  domain: string,
  selectors: readonly string[],
  dns: MailDns,
): Promise<Part<'dkim'>> {
  const answers = await Promise.all(
    selectors.map(async (selector) => ({ selector, ...(await dns.txt(`${selector}._domainkey.${domain}`)) })),
  )
  const findings: MailFinding[] = []
  const keys: Part<'dkim'>['dkim'][number][] = []
  let failure: Message | null = null
  for (const answer of answers) {
    const { selector } = answer
    if (answer.records === null) {
      failure ??= answer.reason
      continue
    }
    for (const text of answer.records) {
      const key = readDkimKey(text)
      if (key === null) continue
      const about = { selector }
      if (key === 'revoked') findings.push(finding('notice', { code: 'dkim_revoked', params: about }))
      else if (key === 'invalid') findings.push(finding('warning', { code: 'dkim_invalid', params: about }))
      else findings.push(...judge(selector, key))
      const { type, bits } = typeof key === 'string' ? { type: key, bits: null } : key
      keys.push({ selector, type, bits })
    }
  }
  // A selector that did not answer may be the one in use.
  if (keys.length === 0)
    findings.push(
      failure === null
        ? finding('notice', { code: 'dkim_missing' })
        : finding('unknown', { code: 'dkim_unknown', params: { reason: failure } }),
    )
  return { dkim: keys, findings }
}

function judge(selector: string, { type, bits, isTesting }: DkimKey): readonly MailFinding[] {
  const isWeak = type === 'rsa' && bits !== null && bits < goodBits
  return [
    ...(isWeak
      ? [
          finding(bits < minBits ? 'critical' : 'warning', {
            code: 'dkim_weak',
            params: { selector, bits },
          }),
        ]
      : []),
    ...(isTesting ? [finding('notice', { code: 'dkim_testing', params: { selector } })] : []),
  ]
}
