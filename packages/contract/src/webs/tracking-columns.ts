import type { Cell, ColumnDefinition, GridDefinition, OptionDefinition } from '../grid/columns.ts'
import { domainStatus, webStatus } from './states.ts'
import { isCurrent, type TrackingData, type trackingServices } from './tracking-data.ts'
import type { Web } from './web.ts'

/** 1 is the old version, 2 the current one (specification, section 4); Usercentrics has a third since. */
const versionOptions: readonly OptionDefinition[] = [
  { value: '1', tone: 'orange' },
  { value: '2', tone: 'green' },
  { value: '3', tone: 'green' },
]

const digiaccessOptions: readonly OptionDefinition[] = [
  { value: '0', tone: 'grey' },
  { value: '1', tone: 'red' },
  { value: '2', tone: 'green' },
]

const flagOptions: readonly OptionDefinition[] = [{ value: 'yes' }, { value: 'no' }]

type Read = (tracking: TrackingData) => Cell

const column = (
  set: string,
  key: string,
  kind: ColumnDefinition<Web>['kind'],
  read: Read,
): ColumnDefinition<Web> => ({
  key,
  kind,
  set,
  value: (web) => (web.tracking_data === null ? null : read(web.tracking_data)),
})

const withOptions = (
  made: ColumnDefinition<Web>,
  options: readonly OptionDefinition[],
): ColumnDefinition<Web> => ({ ...made, options })

/** For labels that are longer than the cells, in both languages. */
const wide = (made: ColumnDefinition<Web>, width: number): ColumnDefinition<Web> => ({ ...made, width })

const flag = (set: string, key: string, read: (tracking: TrackingData) => boolean) =>
  withOptions(
    column(set, key, 'select', (tracking) => (read(tracking) ? 'yes' : 'no')),
    flagOptions,
  )

/**
 * The ids of a service that are current, those that no audit has confirmed for too long, and when the newest of them was
 * seen.
 */
function service(
  now: number,
  set: string,
  name: (typeof trackingServices)[number],
): readonly ColumnDefinition<Web>[] {
  const ids = (tracking: TrackingData, current: boolean) =>
    tracking.tracking_services[name]
      .filter(({ timestamp }) => isCurrent(timestamp, now) === current)
      .map(({ id }) => id)
  return [
    column(set, name, 'tags', (tracking) => ids(tracking, true)),
    wide(
      column(set, `${name}_stale`, 'tags', (tracking) => ids(tracking, false)),
      210,
    ),
    wide(
      column(set, `${name}_seen`, 'date', (tracking) => {
        const newest = Math.max(...tracking.tracking_services[name].map((found) => found.timestamp))
        return Number.isFinite(newest) ? new Date(newest * 1000).toISOString() : null
      }),
      210,
    ),
  ]
}

const consentKeys = ['ad_storage', 'analytics_storage', 'ad_user_data', 'ad_personalization'] as const

const columnsAt = (now: number): readonly ColumnDefinition<Web>[] => [
  { key: 'id', kind: 'number', width: 72, value: (web) => web.id },
  { key: 'fqdn', kind: 'text', mono: true, width: 260, value: (web) => web.fqdn },
  { key: 'customer', kind: 'text', width: 140, value: (web) => web.customer },
  withOptions(
    wide(
      column('usercentrics', 'usercentrics_version', 'status', (tracking) =>
        tracking.usercentrics === null ? null : String(tracking.usercentrics.version),
      ),
      150,
    ),
    versionOptions,
  ),
  column('usercentrics', 'usercentrics_id', 'text', (tracking) => tracking.usercentrics?.id ?? null),
  wide(
    column('usercentrics', 'usercentrics_services', 'tags', (tracking) =>
      (tracking.usercentrics?.services ?? []).map((found) => found.name),
    ),
    230,
  ),
  column('google', 'gtm', 'text', (tracking) => tracking.gtm?.id ?? null),
  wide(
    column('google', 'gtm_domain', 'text', (tracking) => tracking.gtm?.domain ?? null),
    230,
  ),
  column('google', 'sgtmid', 'text', (tracking) => tracking.sgtmid),
  ...service(now, 'google', 'googleanalytics'),
  ...service(now, 'google', 'googleads'),
  ...consentKeys.map((key) =>
    wide(
      column('google', key, 'text', (tracking) => tracking.consentmode?.[key] ?? null),
      175,
    ),
  ),
  ...service(now, 'matomo', 'matomo'),
  ...service(now, 'facebook', 'facebookads'),
  wide(
    flag('facebook', 'fbadvancedmatching', (tracking) => tracking.fbadvancedmatching),
    180,
  ),
  ...service(now, 'bing', 'microsoftads'),
  ...service(now, 'linkedin', 'linkedinads'),
  ...service(now, 'pinterest', 'pinterestads'),
  ...service(now, 'tiktok', 'tiktokads'),
  withOptions(
    column('referrer', 'referrerjs', 'status', (tracking) =>
      tracking.referrerjs === null ? null : String(tracking.referrerjs.version),
    ),
    versionOptions,
  ),
  flag('referrer', 't3pref', (tracking) => tracking.cookies.t3pref),
  flag('referrer', 't3pentry', (tracking) => tracking.cookies.t3pentry),
  { key: 'topics', kind: 'tags', set: 'topics', width: 220, value: (web) => web.metadata.topics },
  flag('topics', 'polyfillio', (tracking) => tracking.polyfillio),
  withOptions(
    column('topics', 'digiaccess', 'status', (tracking) => String(tracking.digiaccess)),
    digiaccessOptions,
  ),
]

const set = (key: string, shown = false) => ({ key, shown })

/**
 * The tracking list's columns, on screen and in its export. What of it is stale is a matter of the time.
 * @param now in Unix seconds
 */
export const trackingColumnsAt = (now: number): GridDefinition<Web> => ({
  name: 'tracking',
  columns: columnsAt(now),
  sets: [
    set('bing'),
    set('facebook'),
    set('google', true),
    set('linkedin'),
    set('matomo', true),
    set('pinterest'),
    set('referrer'),
    set('tiktok'),
    set('topics'),
    set('usercentrics'),
  ],
})

/**
 * Whether the monitoring and the tracking list show a web: active, online and not one of the operator's own.
 * @param internalMarker the part of a host name that marks internal ones; empty for none
 */
export const isListed = (
  web: Pick<Web, 'status' | 'domain_status' | 'fqdn'>,
  internalMarker: string,
): boolean =>
  web.status === webStatus.active &&
  web.domain_status === domainStatus.online &&
  (internalMarker === '' || !web.fqdn.includes(internalMarker))
