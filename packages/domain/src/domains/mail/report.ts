import type { MailCheck, MailFinding, MailSafety, MailState, Severity } from '@kustos/contract/domains'
import { severities } from '@kustos/contract/domains'
import type { KnownMessage, Message } from '@kustos/contract/messages'
import { storedMessage } from '../../platform/stored-message.ts'

/** The records of a name, or why they are unknown. */
export type MailAnswer =
  | { readonly records: readonly string[] }
  | { readonly records: null; readonly reason: Message }

/** What the checks ask name servers for. */
export interface MailDns {
  txt(name: string): Promise<MailAnswer>
  mx(name: string): Promise<MailAnswer>
  /** IPv4 and IPv6. */
  addresses(name: string): Promise<MailAnswer>
}

export const createFinding = (check: MailCheck, severity: Severity, advice: KnownMessage): MailFinding => ({
  check,
  severity,
  ...(storedMessage('advice', advice) as Omit<MailFinding, 'check' | 'severity'>),
})

/** The state of a domain with these findings; a notice does not lower it. */
export function mailStateOf(findings: readonly MailFinding[]): MailState {
  const worst = severities.find((severity) => findings.some((finding) => finding.severity === severity))
  return worst === undefined || worst === 'notice' ? 'ok' : worst
}

export const bySeverity = (findings: readonly MailFinding[]): MailFinding[] =>
  findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))

export type Part<Check extends 'spf' | 'dmarc' | 'dkim' | 'mx'> = Pick<MailSafety, Check> & {
  readonly findings: readonly MailFinding[]
}
