import type { MailSafety } from '@kustos/contract/domains'
import { checkDkim } from './dkim.ts'
import { checkDmarc } from './dmarc.ts'
import { checkMx } from './mx.ts'
import { bySeverity, type MailDns, mailStateOf } from './report.ts'
import { checkSpf } from './spf.ts'

export type { MailDns } from './report.ts'

/** Checks the e-mail security of a domain. @param organization the registrable domain that it is or belongs to */
export async function checkMailSafety(
  domain: string,
  organization: string,
  selectors: readonly string[],
  dns: MailDns,
): Promise<Omit<MailSafety, 'checked_at'>> {
  const [spf, dmarc, dkim, mx] = await Promise.all([
    checkSpf(domain, dns),
    checkDmarc(domain, organization, dns),
    checkDkim(domain, selectors, dns),
    checkMx(domain, dns),
  ])
  const findings = bySeverity([spf, dmarc, dkim, mx].flatMap((part) => part.findings))
  return {
    state: mailStateOf(findings),
    spf: spf.spf,
    dmarc: dmarc.dmarc,
    dkim: dkim.dkim,
    mx: mx.mx,
    findings,
  }
}
