import { z } from 'zod'
import { messageFields } from '../messages/schema.ts'
import { id, timestamp } from '../text.ts'
import { fqdn } from '../webs/fqdn.ts'
import { dnsTypes, expirySources, mailChecks, mailStates, severities } from './states.ts'

const recordSet = z.object({
  id,
  /** The domain itself, or a name below it such as _dmarc.example.com. */
  host: z.string(),
  type: z.enum(dnsTypes),
  /** Sorted; empty if there is none. */
  records: z.array(z.string()),
  first_seen_at: timestamp,
  /** The last answer that had these records. */
  last_seen_at: timestamp,
  is_current: z.boolean(),
  /** When its beginning was alerted; null if it was not. */
  alerted_at: timestamp.nullable(),
})
export type RecordSet = z.output<typeof recordSet>

const failedLookup = z.object({
  host: z.string(),
  type: z.enum(dnsTypes),
  reason: z.string(),
  ...messageFields('reason'),
})

/** When the registration of a domain, or of the one that it belongs to, ends. */
const expiry = z.object({
  /** Null if it is unknown; `reason` says why. */
  expires_at: timestamp.nullable(),
  source: z.enum(expirySources).nullable(),
  /** What the registry says, if the registrar's date is shown; null if it is unknown. */
  registry_expires_at: timestamp.nullable(),
  auto_renew: z.boolean().nullable(),
  registrar: z.string().nullable(),
  /** The last lookup at the registry; null before the first. */
  checked_at: timestamp.nullable(),
  reason: z.string().nullable(),
  ...messageFields('reason'),
})
export type DomainExpiry = z.output<typeof expiry>

const finding = z.object({
  check: z.enum(mailChecks),
  severity: z.enum(severities),
  /** What to do, in one sentence. */
  advice: z.string(),
  ...messageFields('advice'),
})
export type MailFinding = z.output<typeof finding>

const mailSafety = z.object({
  checked_at: timestamp,
  state: z.enum(mailStates),
  spf: z.object({
    record: z.string().nullable(),
    /** DNS lookups that a receiver needs, of which 10 are allowed; null if that is unknown. */
    lookups: z.int().nullable(),
    void_lookups: z.int().nullable(),
  }),
  dmarc: z.object({
    record: z.string().nullable(),
    /** The domain whose record applies, which may be the one that this belongs to. */
    domain: z.string().nullable(),
    /** `none`, `quarantine` or `reject`; null if no valid record applies. */
    policy: z.string().nullable(),
  }),
  /** The selectors that have a key. */
  dkim: z.array(z.object({ selector: z.string(), type: z.string(), bits: z.int().nullable() })),
  mx: z.array(z.string()),
  /** The most severe ones first. */
  findings: z.array(finding),
})
export type MailSafety = z.output<typeof mailSafety>

export const domainRecords = z
  .object({
    fqdn: z.string(),
    /** The name in ASCII, as the hosts of records have it. */
    ascii: z.string(),
    /** The domain that is registered, of which this may be a part. */
    domain: z.string(),
    /** The list of domains that has it; null for hosts of websites, and if the user may not see that list. */
    list: z.enum(['own', 'external']).nullable(),
    /** Of an external domain. */
    domainprovider: z.string().nullable(),
    customers: z.array(z.string()),
    webs: z.array(z.object({ id, fqdn: z.string() })),
    /** The addresses of its mailboxes, sorted; null if the user may not see them. */
    mailboxes: z.array(z.string()).nullable(),
    /** When all records were last looked up; null before the first time. */
    read_at: timestamp.nullable(),
    /** Current ones first, then those that were replaced, latest first. */
    records: z.array(recordSet),
    failures: z.array(failedLookup),
    expiry,
    /** Null before the first check, and for hosts of websites, which belong to the mail of their domain. */
    mail: mailSafety.nullable(),
    /** Types whose changes are not alerted. */
    muted_types: z.array(z.enum(dnsTypes)),
    /** Types whose changes the configuration never alerts, whatever is muted. */
    unalerted_types: z.array(z.enum(dnsTypes)),
  })
  .meta({ id: 'DomainRecords' })
export type DomainRecords = z.output<typeof domainRecords>

export const domainAlerts = z
  .object({
    muted_types: z.array(z.enum(dnsTypes)),
    /** What was read before. Only the types in which `muted_types` differs from it are changed; all of them without it. */
    base_types: z.array(z.enum(dnsTypes)).optional(),
  })
  .meta({ id: 'DomainAlerts' })

/** In any spelling. */
export const domainParams = z.object({ fqdn })
