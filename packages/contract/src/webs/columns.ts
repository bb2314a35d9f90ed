import type { Column, GridColumns, Option, Tone } from '../grid/columns.ts'
import { germanWebLabels } from './columns.de.ts'
import { domainState, domainStatus, webStatus } from './states.ts'
import type { Web } from './web.ts'

/** Tones of HTTP status codes (specification, section 4). */
export function httpTone(code: number): Tone {
  if (code >= 100 && code < 300) return 'green'
  if (code >= 300 && code < 400) return 'orange'
  if (code >= 400 && code < 600) return 'red'
  return 'grey'
}

const option = (value: number, label: string, tone?: Tone): Option => ({
  value: String(value),
  label,
  ...(tone && { tone }),
})

/** Stands for every code without a name, so that such rows can be asked for together. */
const unknown: Option = { value: 'unknown', label: 'unknown', tone: 'grey' }

export const webStatusOptions = [
  option(webStatus.active, 'active', 'green'),
  option(webStatus.inactive, 'inactive', 'orange'),
  unknown,
]

export const domainStatusOptions = [
  option(domainStatus.online, 'online', 'green'),
  option(domainStatus.extern, 'extern', 'orange'),
  option(domainStatus.offline, 'offline', 'red'),
  unknown,
]

export const domainStateOptions = [
  option(domainState.own, 'own domain'),
  option(domainState.access, 'access to domain'),
  option(domainState.external, 'external domain'),
]

const code = (value: number | null) => (value === null ? null : String(value))
const named = (value: number | null, options: readonly Option[]) => {
  const given = code(value)
  return given === null || options.some((known) => known.value === given) ? given : unknown.value
}
const names = (hosts: readonly { fqdn: string }[]) => hosts.map((host) => host.fqdn)

const columns: readonly Column<Web>[] = [
  { key: 'id', label: 'Id', kind: 'number', width: 64, value: (web) => web.id },
  { key: 'fqdn', label: 'FQDN', kind: 'text', mono: true, width: 250, value: (web) => web.fqdn },
  {
    key: 'sites',
    label: 'Sites',
    kind: 'tags',
    set: 'sites',
    mono: true,
    width: 220,
    value: (web) => names(web.sites),
  },
  {
    key: 'aliases',
    label: 'Aliases',
    kind: 'tags',
    set: 'sites',
    mono: true,
    width: 220,
    value: (web) => names(web.aliases),
  },
  {
    key: 'customer',
    label: 'Customer',
    kind: 'text',
    set: 'customer',
    width: 120,
    value: (web) => web.customer,
  },
  {
    key: 'auftragnr_hosting',
    label: 'AuftragNr Hosting',
    kind: 'tags',
    set: 'system',
    width: 176,
    value: (web) => web.auftragnr_hosting,
  },
  {
    key: 'node',
    label: 'Node',
    kind: 'select',
    set: 'node',
    mono: true,
    width: 124,
    value: (web) => web.node,
  },
  {
    key: 'status',
    label: 'Status',
    kind: 'status',
    set: 'status',
    width: 112,
    options: webStatusOptions,
    value: (web) => named(web.status, webStatusOptions),
  },
  {
    key: 'domain_status',
    label: 'Domain Status',
    kind: 'status',
    set: 'status',
    width: 146,
    options: domainStatusOptions,
    value: (web) => named(web.domain_status, domainStatusOptions),
  },
  {
    key: 'http_status_code',
    label: 'HTTP',
    kind: 'number',
    set: 'status',
    width: 136,
    value: (web) => web.http_status_code,
  },
  {
    key: 'categories',
    label: 'Categories',
    kind: 'tags',
    set: 'categories',
    width: 144,
    value: (web) => web.categories.map((category) => category.name),
  },
  {
    key: 'domain_state',
    label: 'Domain Location',
    kind: 'select',
    set: 'domain_location',
    width: 176,
    options: domainStateOptions,
    value: (web) => code(web.domain_state),
  },
  { key: 'comment', label: 'Comment', kind: 'text', set: 'comment', width: 280, value: (web) => web.comment },
  {
    key: 'framework_name',
    label: 'Framework',
    kind: 'text',
    set: 'system',
    width: 150,
    value: (web) => web.framework_name,
  },
  {
    key: 'framework_version',
    label: 'Version',
    kind: 'text',
    set: 'system',
    width: 110,
    value: (web) => web.framework_version,
  },
  {
    key: 'configured_ip',
    label: 'Configured IP',
    kind: 'text',
    set: 'system',
    mono: true,
    width: 164,
    value: (web) => web.configured_ip,
  },
  {
    key: 'sysuser',
    label: 'Sysuser',
    kind: 'text',
    set: 'system',
    mono: true,
    width: 148,
    value: (web) => web.sysuser,
  },
  {
    key: 'disk_usage',
    label: 'Disk Usage',
    kind: 'bytes',
    set: 'system',
    width: 120,
    value: (web) => web.disk_usage,
  },
  {
    key: 'cert_ca',
    label: 'Certificate CA',
    kind: 'text',
    set: 'system',
    width: 150,
    value: (web) => web.cert_ca,
  },
  {
    key: 'cert_expiration',
    label: 'Certificate expires',
    kind: 'date',
    set: 'system',
    width: 200,
    value: (web) => web.cert_expiration,
  },
  {
    key: 'created_at',
    label: 'Created',
    kind: 'date',
    set: 'system',
    width: 170,
    value: (web) => web.created_at,
  },
  {
    key: 'updated_at',
    label: 'Changed',
    kind: 'date',
    set: 'system',
    width: 170,
    value: (web) => web.updated_at,
  },
]

/** The web list's columns, on screen and in its export. */
export const webColumns: GridColumns<Web> = {
  columns,
  sets: [
    { key: 'sites', label: 'Sites & Aliases', shown: false },
    { key: 'node', label: 'Node', shown: true },
    { key: 'customer', label: 'Customer', shown: true },
    { key: 'status', label: 'Status', shown: true },
    { key: 'categories', label: 'Categories', shown: true },
    { key: 'domain_location', label: 'Domain Location', shown: false },
    { key: 'comment', label: 'Comment', shown: false },
    { key: 'system', label: 'System Information', shown: false },
  ],
  german: germanWebLabels,
}
