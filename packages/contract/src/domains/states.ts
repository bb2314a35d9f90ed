import { tonedOptions } from '../grid/columns.ts'

/** The types of DNS records that are watched. */
export const dnsTypes = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const
export type DnsType = (typeof dnsTypes)[number]

/** What the e-mail security of a domain is made of. */
export const mailChecks = ['spf', 'dmarc', 'dkim', 'mx'] as const
export type MailCheck = (typeof mailChecks)[number]

/** `unknown`: it could not be checked. A notice does not lower a domain's e-mail security. */
export const severities = ['critical', 'warning', 'unknown', 'notice'] as const
export type Severity = (typeof severities)[number]

/** The worst finding of a domain. */
export const mailStates = ['ok', 'warning', 'critical', 'unknown'] as const
export type MailState = (typeof mailStates)[number]

export const mailStateOptions = tonedOptions({
  ok: 'green',
  warning: 'orange',
  critical: 'red',
  unknown: 'grey',
})

/** Where a date of expiry comes from. */
export const expirySources = ['registrar', 'rdap'] as const
