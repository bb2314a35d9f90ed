import { z } from 'zod'
import { customerCode } from '../customers/code.ts'
import { issue } from '../messages/message.ts'
import { carriedTags } from '../tags/tag.ts'
import { baseVersion, composedText, id, label, optionalText, text, timestamp } from '../text.ts'
import { fqdn } from './fqdn.ts'
import { reportingChannels } from './states.ts'
import { trackingData } from './tracking-data.ts'

export const category = z.object({ id, name: z.string() }).meta({ id: 'Category' })
export type Category = z.output<typeof category>

export const node = z
  .object({
    name: z.string(),
    plesk_fqdn: z.string(),
    /** Whether deployment actions may run on it. */
    cloud_enabled: z.boolean(),
  })
  .meta({ id: 'Node' })
export type Node = z.output<typeof node>

const host = z.object({ fqdn: z.string() })

export const web = z
  .object({
    id,
    fqdn: z.string(),
    customer: z.string(),
    node: z.string().nullable(),
    categories: z.array(category),
    framework_name: z.string().nullable(),
    framework_version: z.string().nullable(),
    comment: z.string().nullable(),
    configured_ip: z.string(),
    /** `reportingChannels`, separated by commas. */
    monitoring_web_reporting_channel: z.string(),
    monitoring_web_active: z.union([z.literal(0), z.literal(1)]),
    /** Numbers of the hosting orders. */
    auftragnr_hosting: z.array(z.string()),
    /** Such as `legal` and `contract:gold`, in order [+]. */
    tags: z.array(z.string()),
    /** Plesk's code: 0 active, 16 inactive, others unknown. */
    status: z.int().nullable(),
    domain_status: z.int().nullable(),
    domain_state: z.int().nullable(),
    http_status_code: z.int().nullable(),
    /** The start of the open incident; null while the web is up or not monitored [+]. */
    down_since: timestamp.nullable(),
    sites: z.array(host),
    aliases: z.array(host),
    sysuser: z.string().nullable(),
    cert_ca: z.string().nullable(),
    /** When the certificate began, so that its end is judged by its lifetime; null if unknown [+]. */
    cert_from: timestamp.nullable(),
    cert_expiration: timestamp.nullable(),
    /** In bytes. */
    disk_usage: z.int().nullable(),
    tracking_data: trackingData.nullable(),
    metadata: z.object({ topics: z.array(z.string()) }),
    created_at: timestamp,
    updated_at: timestamp,
    deleted_at: timestamp.nullable(),
  })
  .meta({ id: 'Web' })
export type Web = z.output<typeof web>

const channelList = z.string().transform((joined, context): string => {
  const names = joined
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const known: readonly string[] = reportingChannels
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    context.addIssue({ code: 'custom', message: issue('channel_unknown', { channel: unknown.slice(0, 40) }) })
  return reportingChannels.filter((name) => names.includes(name)).join(',')
})

const orders = z
  .array(
    label(64)
      .min(1, issue('order_number_missing'))
      .refine((order) => !order.includes(','), issue('order_number_has_comma')),
  )
  .max(100)

const ip = z.union([z.ipv4(), z.ipv6()], issue('ip_invalid'))

/** The fields that users can change. */
const editable = {
  fqdn,
  customer: customerCode,
  configured_ip: z.string(issue('ip_required')).trim().min(1, issue('ip_required')).pipe(ip),
  categories: z.array(id).max(100).optional(),
  framework_name: optionalText(label(100)),
  framework_version: optionalText(label(100)),
  comment: optionalText(composedText(10_000)),
  domain_state: z.union([z.literal(1), z.literal(2), z.literal(3), z.null()]).optional(),
  monitoring_web_reporting_channel: channelList.optional(),
  monitoring_web_active: z.union([z.literal(0), z.literal(1)]).optional(),
  auftragnr_hosting: orders.optional(),
  tags: carriedTags.optional(),
  /** The node's name. Given on creation, fixed afterwards. */
  node: z.union([text(255), z.null()]).optional(),
}

export const newWeb = z.object(editable).meta({ id: 'NewWeb' })
export type NewWeb = z.output<typeof newWeb>

/** Fields left out stay as they are. */
export const webChange = z.object({ ...editable, ...baseVersion }).meta({ id: 'WebChange' })
export type WebChange = z.output<typeof webChange>
