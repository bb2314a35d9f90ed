import { type Cell, type ColumnDefinition, type GridDefinition, tonedOptions } from '../grid/columns.ts'
import { domainStatus, webStatus } from './states.ts'
import { consentSignals, isCurrent, type TrackingData, type trackingServices } from './tracking-data.ts'
import type { Web } from './web.ts'

/** 2 is the current version (specification, section 4); Usercentrics has a third since. */
const versionOptions = tonedOptions({ '1': 'orange', '2': 'green', '3': 'green' })

const column = (
  set: string,
  key: string,
  kind: ColumnDefinition<Web>['kind'],
  read: (tracking: TrackingData) => Cell,
  more?: Pick<ColumnDefinition<Web>, 'width' | 'options'>,
): ColumnDefinition<Web> => ({
  key,
  kind,
  set,
  value: (web) => (web.tracking_data === null ? null : read(web.tracking_data)),
  ...more,
})

const flag = (set: string, key: string, read: (tracking: TrackingData) => boolean, width?: number) =>
  column(set, key, 'select', (tracking) => (read(tracking) ? 'yes' : 'no'), {
    options: [{ value: 'yes' }, { value: 'no' }],
    ...(width && { width }),
  })

/** The current and the stale ids of a service, and when it was last seen. */
function service(
  now: number,
  set: string,
  name: (typeof trackingServices)[number],
): readonly ColumnDefinition<Web>[] {
  const ids = (tracking: TrackingData, current: boolean) =>
    tracking.tracking_services[name]
      .filter(({ timestamp }) => isCurrent(timestamp, now) === current)
      .map(({ id }) => id)
  const lastSeen = (tracking: TrackingData) => {
    const newest = Math.max(...tracking.tracking_services[name].map(({ timestamp }) => timestamp))
    return Number.isFinite(newest) ? new Date(newest * 1000).toISOString() : null
  }
  return [
    column(set, name, 'tags', (tracking) => ids(tracking, true)),
    column(set, `${name}_stale`, 'tags', (tracking) => ids(tracking, false), { width: 210 }),
    column(set, `${name}_seen`, 'date', lastSeen, { width: 210 }),
  ]
}

const version = (found: { readonly version: number } | null) => found && String(found.version)

const columnsAt = (now: number): readonly ColumnDefinition<Web>[] => [
  { key: 'id', kind: 'number', width: 72, value: (web) => web.id },
  // With room for a chip before the name.
  { key: 'fqdn', kind: 'text', isMonospaced: true, width: 380, value: (web) => web.fqdn },
  { key: 'customer', kind: 'text', width: 140, value: (web) => web.customer },
  {
    key: 'before_consent',
    kind: 'tags',
    width: 210,
    value: ({ tracking_data: tracking }) => tracking?.before_consent ?? null,
  },
  column('usercentrics', 'usercentrics_version', 'status', ({ usercentrics }) => version(usercentrics), {
    width: 150,
    options: versionOptions,
  }),
  column('usercentrics', 'usercentrics_id', 'text', ({ usercentrics }) => usercentrics?.id ?? null),
  column(
    'usercentrics',
    'usercentrics_services',
    'tags',
    ({ usercentrics }) => (usercentrics?.services ?? []).map(({ name }) => name),
    { width: 230 },
  ),
  column('google', 'gtm', 'text', ({ gtm }) => gtm?.id ?? null),
  column('google', 'gtm_domain', 'text', ({ gtm }) => gtm?.domain ?? null, { width: 230 }),
  column('google', 'sgtmid', 'text', ({ sgtmid }) => sgtmid),
  ...service(now, 'google', 'googleanalytics'),
  ...service(now, 'google', 'googleads'),
  ...consentSignals.map((key) =>
    column('google', key, 'text', ({ consentmode }) => consentmode?.[key] ?? null, { width: 175 }),
  ),
  ...service(now, 'matomo', 'matomo'),
  ...service(now, 'facebook', 'facebookads'),
  flag('facebook', 'fbadvancedmatching', ({ fbadvancedmatching }) => fbadvancedmatching, 180),
  ...service(now, 'bing', 'microsoftads'),
  ...service(now, 'linkedin', 'linkedinads'),
  ...service(now, 'pinterest', 'pinterestads'),
  ...service(now, 'tiktok', 'tiktokads'),
  column('referrer', 'referrerjs', 'status', ({ referrerjs }) => version(referrerjs), {
    options: versionOptions,
  }),
  flag('referrer', 't3pref', ({ cookies }) => cookies.t3pref),
  flag('referrer', 't3pentry', ({ cookies }) => cookies.t3pentry),
  column('third_parties', 'third_parties', 'tags', (tracking) => tracking.third_parties ?? [], {
    width: 260,
  }),
  { key: 'topics', kind: 'tags', set: 'topics', width: 220, value: (web) => web.metadata.topics },
  flag('topics', 'polyfillio', ({ polyfillio }) => polyfillio),
  column('topics', 'digiaccess', 'status', ({ digiaccess }) => String(digiaccess), {
    options: tonedOptions({ '0': 'grey', '1': 'red', '2': 'green' }),
  }),
]

/** By column set, whether it is shown by default. */
const sets = {
  bing: false,
  facebook: false,
  google: true,
  linkedin: false,
  matomo: true,
  pinterest: false,
  referrer: false,
  third_parties: false,
  tiktok: false,
  topics: false,
  usercentrics: false,
}

/** Used by the screen and the export. @param now in Unix seconds; ids become stale with time */
export const trackingColumnsAt = (now: number): GridDefinition<Web> => ({
  name: 'tracking',
  primaryColumns: ['fqdn'],
  columns: columnsAt(now),
  sets: Object.entries(sets).map(([key, isVisibleByDefault]) => ({ key, isVisibleByDefault })),
})

/** What webs request without consent, besides what their audits list. */
export interface WithoutConsent {
  /** The names of a web's services. */
  readonly servicesOf: (web: Web) => readonly string[]
  /** The name of one that was seen only after a refusal or a withdrawal. */
  readonly nameLater: (service: string) => string
}

/** What a web requests before consent, and what only later without it. */
export function listServices(web: Web, { servicesOf, nameLater }: WithoutConsent): readonly string[] {
  const before = web.tracking_data?.before_consent ?? []
  const later = servicesOf(web).filter((name) => !before.includes(name))
  return [...before, ...later.map(nameLater)]
}

/** The tracking list as it is shown, so that what it shows is found. @param now as of `trackingColumnsAt` */
export function trackingGridAt(now: number, withoutConsent: WithoutConsent): GridDefinition<Web> {
  const { columns, ...grid } = trackingColumnsAt(now)
  return {
    ...grid,
    columns: columns.map((column) =>
      column.key === 'before_consent'
        ? { ...column, value: (web: Web) => listServices(web, withoutConsent) }
        : column,
    ),
  }
}

/**
 * Whether a web is in the monitoring and the tracking list.
 * @param internalMarker webs with this part in their name are not; empty for none
 */
export const isListed = (
  web: Pick<Web, 'status' | 'domain_status' | 'fqdn'>,
  internalMarker: string,
): boolean =>
  web.status === webStatus.active &&
  web.domain_status === domainStatus.online &&
  (internalMarker === '' || !web.fqdn.includes(internalMarker))
