import { z } from 'zod'
import { messageFields } from './messages/schema.ts'
import { id, timestamp } from './text.ts'
import { trackingTopics } from './tracking.ts'

/** In percent of the monitored time of the whole days before today; null if there was none. */
export const uptime = z.object({ days_30: z.number().nullable(), days_90: z.number().nullable() })
export type Uptime = z.output<typeof uptime>

/** A request of a page before the visitor's choice to a service that needs consent. */
const early = z.object({
  topic: z.enum(trackingTopics).nullable(),
  host: z.string(),
  /** The name of the service or its company; missing if it is unknown, and in rows of older releases. */
  entity: z.string().optional(),
})
export type EarlyRequest = z.output<typeof early>

/** What the page of a customer or a node says of each of its webs. */
export const webSummary = z
  .object({
    id,
    fqdn: z.string(),
    customer: z.string(),
    node: z.string().nullable(),
    framework_name: z.string().nullable(),
    framework_version: z.string().nullable(),
    status: z.int().nullable(),
    domain_status: z.int().nullable(),
    monitoring_web_active: z.boolean(),
    down_since: timestamp.nullable(),
    /** Why it is down; null without the permission to see statistics. */
    down_reason: z.string().nullable(),
    ...messageFields('down_reason'),
    cert_from: timestamp.nullable(),
    cert_expiration: timestamp.nullable(),
    /** Null without the permission to see statistics. */
    uptime: uptime.nullable(),
    /** What the latest visit in a browser saw; null if there was none. */
    before_consent: z.array(early).nullable(),
  })
  .meta({ id: 'WebSummary' })
export type WebSummary = z.output<typeof webSummary>
