import { defineGrid, type OptionDefinition, type Tone, tonedOptions } from '../grid/columns.ts'
import { frameworkSupport } from './framework-support.ts'
import { domainState, domainStatus, webStatus } from './states.ts'
import type { Web } from './web.ts'

/** Tones of HTTP status codes (specification, section 4). */
export function httpTone(code: number): Tone {
  if (code >= 100 && code < 300) return 'green'
  if (code >= 300 && code < 400) return 'orange'
  if (code >= 400 && code < 600) return 'red'
  return 'grey'
}

// `unknown` is the value of all other codes, so that one filter finds them.
export const webStatusOptions = tonedOptions({
  [webStatus.active]: 'green',
  [webStatus.inactive]: 'orange',
  unknown: 'grey',
})

export const domainStatusOptions = tonedOptions({
  [domainStatus.online]: 'green',
  [domainStatus.extern]: 'orange',
  [domainStatus.offline]: 'red',
  unknown: 'grey',
})

export const supportOptions = tonedOptions({
  supported: 'green',
  ending: 'orange',
  extended: 'orange',
  ended: 'red',
})

const code = (value: number | null) => (value === null ? null : String(value))
const named = (value: number | null, options: readonly OptionDefinition[]) => {
  const given = code(value)
  return given === null || options.some((known) => known.value === given) ? given : 'unknown'
}
const names = (hosts: readonly { fqdn: string }[]) => hosts.map((host) => host.fqdn)

/** Used by the screen and the export. */
export const webColumns = defineGrid<Web>({
  name: 'webs',
  primaryColumns: ['fqdn', 'status', 'http_status_code', 'framework_version', 'framework_support'],
  columns: [
    { key: 'id', kind: 'number', width: 64 },
    { key: 'fqdn', kind: 'text', isMonospaced: true, width: 250 },
    {
      key: 'sites',
      kind: 'tags',
      set: 'sites',
      isMonospaced: true,
      width: 220,
      value: (web) => names(web.sites),
    },
    {
      key: 'aliases',
      kind: 'tags',
      set: 'sites',
      isMonospaced: true,
      width: 220,
      value: (web) => names(web.aliases),
    },
    { key: 'customer', kind: 'text', set: 'customer', width: 120 },
    { key: 'auftragnr_hosting', kind: 'tags', set: 'system', width: 176 },
    { key: 'node', kind: 'select', set: 'node', isMonospaced: true, width: 124 },
    {
      key: 'status',
      kind: 'status',
      set: 'status',
      width: 112,
      options: webStatusOptions,
      value: (web) => named(web.status, webStatusOptions),
    },
    {
      key: 'domain_status',
      kind: 'status',
      set: 'status',
      width: 146,
      options: domainStatusOptions,
      value: (web) => named(web.domain_status, domainStatusOptions),
    },
    // A number with how long the web has been down.
    { key: 'http_status_code', kind: 'number', set: 'status', width: 136, minWidth: 132 },
    {
      key: 'categories',
      kind: 'tags',
      set: 'categories',
      width: 144,
      value: (web) => web.categories.map((category) => category.name),
    },
    {
      key: 'domain_state',
      kind: 'select',
      set: 'domain_location',
      width: 176,
      options: Object.values(domainState).map((value) => ({ value: String(value) })),
      value: (web) => code(web.domain_state),
    },
    { key: 'tags', kind: 'tags', set: 'tags', isKeyed: true, width: 200 },
    { key: 'comment', kind: 'text', set: 'comment', width: 280 },
    { key: 'framework_name', kind: 'text', set: 'system', width: 150 },
    { key: 'framework_version', kind: 'text', set: 'system', width: 110 },
    {
      key: 'framework_support',
      kind: 'status',
      set: 'system',
      width: 226,
      minWidth: 222,
      options: supportOptions,
      value: (web) =>
        frameworkSupport(web.framework_name, web.framework_version, new Date())?.support ?? null,
    },
    { key: 'configured_ip', kind: 'text', set: 'system', isMonospaced: true, width: 164 },
    { key: 'sysuser', kind: 'text', set: 'system', isMonospaced: true, width: 148 },
    { key: 'disk_usage', kind: 'bytes', set: 'system', width: 120 },
    { key: 'cert_ca', kind: 'text', set: 'system', width: 150 },
    { key: 'cert_expiration', kind: 'date', set: 'system', width: 200 },
    { key: 'created_at', kind: 'date', set: 'system', width: 170 },
    { key: 'updated_at', kind: 'date', set: 'system', width: 170 },
  ],
  sets: [
    { key: 'sites', isVisibleByDefault: false },
    { key: 'node', isVisibleByDefault: true },
    { key: 'customer', isVisibleByDefault: true },
    { key: 'status', isVisibleByDefault: true },
    { key: 'categories', isVisibleByDefault: true },
    { key: 'tags', isVisibleByDefault: false },
    { key: 'domain_location', isVisibleByDefault: false },
    { key: 'comment', isVisibleByDefault: false },
    { key: 'system', isVisibleByDefault: false },
  ],
})
