import type { LegacyName, LegacyWeb } from '@kustos/clients/legacy'
import { asciiFqdn, newWeb, type TrackingData } from '@kustos/contract/webs'
import { wrongOf } from './checked.ts'
import type { Run } from './take-rows.ts'
import { readTracking } from './tracking.ts'

/** A web of the former system, validated like one that a user enters. */
export interface WebRow {
  readonly id: number | null
  readonly fqdn: string
  readonly fqdn_ascii: string
  readonly customer: string
  readonly node: string | null
  /** By name, sorted. */
  readonly categories: readonly string[]
  readonly framework_name: string | null
  readonly framework_version: string | null
  readonly comment: string | null
  readonly configured_ip: string
  readonly monitoring_web_reporting_channel: string
  /** Null if unknown. */
  readonly monitoring_web_active: boolean | null
  readonly auftragnr_hosting: readonly string[]
  readonly status: number | null
  readonly domain_status: number | null
  readonly domain_state: number | null
  readonly http_status_code: number | null
  readonly sites: readonly { readonly fqdn: string }[]
  readonly aliases: readonly { readonly fqdn: string }[]
  readonly sysuser: string | null
  readonly cert_ca: string | null
  readonly cert_expiration: Date | null
  readonly disk_usage: number | null
  readonly tracking_data: TrackingData | null
  readonly topics: readonly string[]
  readonly created_at: Date | null
  readonly updated_at: Date | null
}

/** @returns null for a web that is left out, which is reported */
export function webRow(
  { report }: Run,
  web: LegacyWeb,
  nameOf: (category: LegacyName) => string | null,
): WebRow | null {
  const channels = [...new Set(web.monitoring_web_reporting_channel)]
  const parsed = newWeb.safeParse({
    fqdn: web.fqdn,
    customer: web.customer,
    configured_ip: web.configured_ip,
    framework_name: web.framework_name,
    framework_version: web.framework_version,
    comment: web.comment,
    monitoring_web_reporting_channel: channels.join(','),
    auftragnr_hosting: web.auftragnr_hosting,
  })
  if (!parsed.success) {
    report.problem('webs', wrongOf(named(web), parsed.error))
    return null
  }
  const { data } = parsed
  const { tracking, unread } = readTracking(web.tracking_data)
  if (unread.length > 0) {
    report.note(
      'webs',
      `${data.fqdn}: of its tracking data, ${unread.join(', ')} cannot be read; the next audit sees it.`,
    )
  }
  const names = web.categories.map(nameOf)
  if (names.includes(null))
    report.note('webs', `${data.fqdn}: a category of it is not known, and it goes without.`)
  return {
    id: web.id,
    fqdn: data.fqdn,
    fqdn_ascii: asciiFqdn(data.fqdn) ?? data.fqdn,
    customer: data.customer,
    node: web.node,
    categories: [...new Set(names.flatMap((name) => name ?? []))].sort(),
    framework_name: data.framework_name ?? null,
    framework_version: data.framework_version ?? null,
    comment: data.comment ?? null,
    configured_ip: data.configured_ip,
    monitoring_web_reporting_channel: channels.join(','),
    monitoring_web_active: web.monitoring_web_active,
    auftragnr_hosting: data.auftragnr_hosting ?? [],
    status: web.status,
    domain_status: web.domain_status,
    domain_state: web.domain_state,
    http_status_code: web.http_status_code,
    sites: web.sites.map((fqdn) => ({ fqdn })),
    aliases: web.aliases.map((fqdn) => ({ fqdn })),
    sysuser: web.sysuser,
    cert_ca: web.cert_ca,
    cert_expiration: web.cert_expiration,
    disk_usage: web.disk_usage,
    tracking_data: tracking,
    topics: web.topics,
    created_at: web.created_at,
    updated_at: web.updated_at,
  }
}

const named = ({ id, fqdn }: LegacyWeb) => (id === null ? fqdn : `${fqdn.slice(0, 253)} (id ${id})`)
