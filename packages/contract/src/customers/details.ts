import { z } from 'zod'
import { deploymentSummary } from '../deployment/index.ts'
import { externalDomain } from '../external-domains/index.ts'
import { email, ownDomain } from '../limitis/index.ts'
import { logEntry } from '../logs/index.ts'
import { issue } from '../messages/message.ts'
import { incident } from '../monitoring/index.ts'
import { id, numberParam, timestamp } from '../text.ts'
import { trackingTopics } from '../tracking.ts'
import { customer } from './customer.ts'

/** In percent of the monitored time of the whole days before today; null if there was none. */
const uptime = z.object({ days_30: z.number().nullable(), days_90: z.number().nullable() })

/** A request of a page to a tracking service before the visitor's choice. */
const early = z.object({ topic: z.enum(trackingTopics).nullable(), host: z.string() })

const customerWeb = z.object({
  id,
  fqdn: z.string(),
  node: z.string().nullable(),
  framework_name: z.string().nullable(),
  framework_version: z.string().nullable(),
  status: z.int().nullable(),
  domain_status: z.int().nullable(),
  monitoring_web_active: z.boolean(),
  down_since: timestamp.nullable(),
  cert_expiration: timestamp.nullable(),
  /** Null without the permission to see statistics. */
  uptime: uptime.nullable(),
  /** What the latest visit in a browser saw; null if there was none. */
  before_consent: z.array(early).nullable(),
})
export type CustomerWeb = z.output<typeof customerWeb>

/** A customer with everything that is its own. Parts that the user may not see are null. */
export const customerDetails = customer
  .omit({ webs: true, down: true, domains: true, mailboxes: true })
  .extend({
    contacts: z.array(
      z.object({
        name: z.string(),
        role: z.string().nullable(),
        email: z.string().nullable(),
        phone: z.string().nullable(),
      }),
    ),
    notes: z.string().nullable(),
    contract_notes: z.string().nullable(),
    /** Codes that were merged into this one, which the registrar may still use. */
    spellings: z.array(z.string()),
    webs: z.array(customerWeb).nullable(),
    own_domains: z.array(ownDomain).nullable(),
    external_domains: z.array(externalDomain).nullable(),
    mailboxes: z.array(email).nullable(),
    /** Of all its webs together. */
    uptime: uptime.nullable(),
  })
  .meta({ id: 'CustomerDetails' })
export type CustomerDetails = z.output<typeof customerDetails>

export const timelineWeeks = { default: 4, max: 52 } as const
/** At most this many entries of each kind. */
export const timelineLimit = 500

export const timelineQuery = z.object({
  weeks: numberParam(
    /^[1-9]\d?$/,
    timelineWeeks.max,
    issue('not_in_range', { min: 1, max: timelineWeeks.max }),
  ).optional(),
})

const timelineEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('deployment'), at: timestamp, deployment: deploymentSummary }),
  z.object({ kind: z.literal('incident'), at: timestamp, incident }),
  z.object({
    kind: z.literal('change'),
    at: timestamp,
    change: logEntry.extend({ causer: z.string().nullable() }),
  }),
])
export type TimelineEntry = z.output<typeof timelineEntry>

export const timeline = z
  .object({
    data: z.array(timelineEntry),
    /** The beginning of the time that the entries cover completely. */
    from: timestamp,
  })
  .meta({ id: 'Timeline' })
export type Timeline = z.output<typeof timeline>

const changed = z.object({
  count: z.int(),
  /** The first ones; null if the user may not see them. */
  names: z.array(z.string()).nullable(),
})

/** How many names of each kind a preview of a merge has. */
export const maxMergedNames = 20

/** What a merge changes. */
export const mergePreview = z
  .object({ webs: changed, own_domains: changed, external_domains: changed, mailboxes: changed })
  .meta({ id: 'CustomerMergePreview' })
export type MergePreview = z.output<typeof mergePreview>
