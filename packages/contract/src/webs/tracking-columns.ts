import type { Cell, Column, ColumnSet, GridColumns, Option } from '../grid/columns.ts'
import { domainStatus, webStatus } from './states.ts'
import { germanTrackingLabels } from './tracking-columns.de.ts'
import { isCurrent, type TrackingData, type trackingServices } from './tracking-data.ts'
import type { Web } from './web.ts'

/** 1 is the old version, 2 the current one (specification, section 4); Usercentrics has a third since. */
const versionOptions: readonly Option[] = [
  { value: '1', label: '1', tone: 'orange' },
  { value: '2', label: '2', tone: 'green' },
  { value: '3', label: '3', tone: 'green' },
]

const digiaccessOptions: readonly Option[] = [
  { value: '0', label: 'not installed', tone: 'grey' },
  { value: '1', label: 'error', tone: 'red' },
  { value: '2', label: 'installed', tone: 'green' },
]

const flagOptions: readonly Option[] = [
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
]

type Read = (tracking: TrackingData) => Cell

const column = (
  set: string,
  key: string,
  label: string,
  kind: Column<Web>['kind'],
  read: Read,
): Column<Web> => ({
  key,
  label,
  kind,
  set,
  value: (web) => (web.tracking_data === null ? null : read(web.tracking_data)),
})

const withOptions = (made: Column<Web>, options: readonly Option[]): Column<Web> => ({ ...made, options })

/** For labels that are longer than what stands below them, in both languages. */
const wide = (made: Column<Web>, width: number): Column<Web> => ({ ...made, width })

const flag = (set: string, key: string, label: string, read: (tracking: TrackingData) => boolean) =>
  withOptions(
    column(set, key, label, 'select', (tracking) => (read(tracking) ? 'yes' : 'no')),
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
  label: string,
): readonly Column<Web>[] {
  const ids = (tracking: TrackingData, current: boolean) =>
    tracking.tracking_services[name]
      .filter(({ timestamp }) => isCurrent(timestamp, now) === current)
      .map(({ id }) => id)
  return [
    column(set, name, label, 'tags', (tracking) => ids(tracking, true)),
    wide(
      column(set, `${name}_stale`, `${label} stale`, 'tags', (tracking) => ids(tracking, false)),
      210,
    ),
    wide(
      column(set, `${name}_seen`, `${label} seen`, 'date', (tracking) => {
        const newest = Math.max(...tracking.tracking_services[name].map((found) => found.timestamp))
        return Number.isFinite(newest) ? new Date(newest * 1000).toISOString() : null
      }),
      210,
    ),
  ]
}

const consentKeys = ['ad_storage', 'analytics_storage', 'ad_user_data', 'ad_personalization'] as const

const columnsAt = (now: number): readonly Column<Web>[] => [
  { key: 'id', label: 'Id', kind: 'number', width: 72, value: (web) => web.id },
  { key: 'fqdn', label: 'FQDN', kind: 'text', mono: true, width: 260, value: (web) => web.fqdn },
  { key: 'customer', label: 'Customer', kind: 'text', width: 140, value: (web) => web.customer },
  withOptions(
    wide(
      column('usercentrics', 'usercentrics_version', 'Usercentrics', 'status', (tracking) =>
        tracking.usercentrics === null ? null : String(tracking.usercentrics.version),
      ),
      150,
    ),
    versionOptions,
  ),
  column(
    'usercentrics',
    'usercentrics_id',
    'Usercentrics Id',
    'text',
    (tracking) => tracking.usercentrics?.id ?? null,
  ),
  wide(
    column('usercentrics', 'usercentrics_services', 'Usercentrics Services', 'tags', (tracking) =>
      (tracking.usercentrics?.services ?? []).map((found) => found.name),
    ),
    230,
  ),
  column('google', 'gtm', 'GTM', 'text', (tracking) => tracking.gtm?.id ?? null),
  wide(
    column('google', 'gtm_domain', 'GTM Domain', 'text', (tracking) => tracking.gtm?.domain ?? null),
    230,
  ),
  column('google', 'sgtmid', 'sGTM', 'text', (tracking) => tracking.sgtmid),
  ...service(now, 'google', 'googleanalytics', 'Google Analytics'),
  ...service(now, 'google', 'googleads', 'Google Ads'),
  ...consentKeys.map((key) =>
    wide(
      column('google', key, key, 'text', (tracking) => tracking.consentmode?.[key] ?? null),
      175,
    ),
  ),
  ...service(now, 'matomo', 'matomo', 'Matomo'),
  ...service(now, 'facebook', 'facebookads', 'Facebook Ads'),
  wide(
    flag('facebook', 'fbadvancedmatching', 'Advanced Matching', (tracking) => tracking.fbadvancedmatching),
    180,
  ),
  ...service(now, 'bing', 'microsoftads', 'Microsoft Ads'),
  ...service(now, 'linkedin', 'linkedinads', 'LinkedIn Ads'),
  ...service(now, 'pinterest', 'pinterestads', 'Pinterest Ads'),
  ...service(now, 'tiktok', 'tiktokads', 'TikTok Ads'),
  withOptions(
    column('referrer', 'referrerjs', 'referrer.js', 'status', (tracking) =>
      tracking.referrerjs === null ? null : String(tracking.referrerjs.version),
    ),
    versionOptions,
  ),
  flag('referrer', 't3pref', 't3pref', (tracking) => tracking.cookies.t3pref),
  flag('referrer', 't3pentry', 't3pentry', (tracking) => tracking.cookies.t3pentry),
  {
    key: 'topics',
    label: 'Topics',
    kind: 'tags',
    set: 'topics',
    width: 220,
    value: (web) => web.metadata.topics,
  },
  flag('topics', 'polyfillio', 'polyfill.io', (tracking) => tracking.polyfillio),
  withOptions(
    column('topics', 'digiaccess', 'DigiAccess', 'status', (tracking) => String(tracking.digiaccess)),
    digiaccessOptions,
  ),
]

const set = (key: string, label: string, shown = false): ColumnSet => ({ key, label, shown })

/**
 * The tracking list's columns, on screen and in its export. What of it is stale is a matter of the time.
 * @param now in Unix seconds
 */
export const trackingColumnsAt = (now: number): GridColumns<Web> => ({
  columns: columnsAt(now),
  sets: [
    set('bing', 'Bing'),
    set('facebook', 'Facebook'),
    set('google', 'Google', true),
    set('linkedin', 'Linkedin'),
    set('matomo', 'Matomo', true),
    set('pinterest', 'Pinterest'),
    set('referrer', 'Referrer'),
    set('tiktok', 'TikTok'),
    set('topics', 'Topics'),
    set('usercentrics', 'Usercentrics'),
  ],
  german: germanTrackingLabels,
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
