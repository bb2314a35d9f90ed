import { z } from 'zod'
import { defineGrid, tonedOptions } from '../grid/columns.ts'
import { messageFields } from '../messages/schema.ts'
import { id, timestamp } from '../text.ts'
import { node } from '../webs/index.ts'

const webName = z.object({ id, fqdn: z.string() })

export const statistic = z
  .object({
    web: webName,
    /** Null if there was no response. */
    status: z.int().nullable(),
    created_at: timestamp,
    /** From the start of the probe to the end of the response's header [+]. */
    response_time_ms: z.int().nullable(),
    /** Why there was no response [+]. */
    reason: z.string().nullable(),
    ...messageFields('reason'),
  })
  .meta({ id: 'Statistic' })
export type Statistic = z.output<typeof statistic>

/** A web on one day in Europe/Rome. */
export const uptimeDay = z
  .object({
    date: z.iso.date(),
    /** In seconds. */
    downtime: z.int(),
    /** How many of these seconds were planned: they do not lower the uptime [+]. */
    planned: z.int(),
    checks: z.int(),
    /** Failed checks that a second probe confirmed. */
    failures: z.int(),
    /** Checks in which it was degraded, which are no failures [+]. */
    degraded: z.int(),
    /** In percent of the monitored time; null if there was none. */
    uptime: z.number().nullable(),
    /** Median. */
    response_time_ms: z.int().nullable(),
    /** 95th percentile [+]. */
    response_time_p95_ms: z.int().nullable(),
    /** Seconds of the day until now that were not monitored [+]. */
    unknown: z.int(),
  })
  .meta({ id: 'UptimeDay' })
export type UptimeDay = z.output<typeof uptimeDay>

/**
 * down: it fails; flapping: it has failed again and again, and answers between; moved: its domain no longer points here
 * [+].
 */
export const incidentKinds = ['down', 'flapping', 'moved'] as const
export type IncidentKind = (typeof incidentKinds)[number]

export const incident = z
  .object({
    id,
    kind: z.enum(incidentKinds),
    web: webName.extend({ node: z.string().nullable(), customer: z.string() }),
    /** The incident of several webs that it is a member of [+]. */
    outage_id: id.nullable(),
    started_at: timestamp,
    /** Null while it is open. */
    ended_at: timestamp.nullable(),
    status: z.int().nullable(),
    reason: z.string(),
    ...messageFields('reason'),
    /** In seconds, without the time that was not monitored or in which a flapping web answered. */
    downtime: z.int(),
    /** How many of these seconds were planned [+]. */
    planned: z.int(),
    /** Since when a flapping web answers; null while it is down. */
    calm_since: timestamp.nullable(),
    /** When the alert was sent; null while it is held back, as during a deployment or maintenance. */
    alerted_at: timestamp.nullable(),
  })
  .meta({ id: 'Incident' })
export type Incident = z.output<typeof incident>

export const monitoredWeb = z
  .object({
    id,
    fqdn: z.string(),
    sysuser: z.string().nullable(),
    node: z.string().nullable(),
    customer: z.string(),
    http_status_code: z.int().nullable(),
    comment: z.string().nullable(),
    monitoring_web_active: z.union([z.literal(0), z.literal(1)]),
    response_time_ms: z.int().nullable(),
    /** Null if there is no recent probe. */
    probed_at: timestamp.nullable(),
    /** Null while it is up. */
    down_since: timestamp.nullable(),
    /** Why it is down [+]. */
    down_reason: z.string().nullable(),
    ...messageFields('down_reason'),
    /** Since when it responds, but not as visitors need it; null if it does not [+]. */
    degraded_since: timestamp.nullable(),
    /** Why [+]. */
    degraded_reason: z.string().nullable(),
    ...messageFields('degraded_reason'),
    /** Null unless a maintenance window runs [+]. */
    maintenance_until: timestamp.nullable(),
  })
  .meta({ id: 'MonitoredWeb' })
export type MonitoredWeb = z.output<typeof monitoredWeb>

/** A web that is not in the list because its domain has moved away, until it points back or is no longer monitored. */
export const movedWeb = z
  .object({
    id,
    fqdn: z.string(),
    node: z.string().nullable(),
    customer: z.string(),
    since: timestamp,
    /** The address that it had here. */
    from: z.string(),
    /** Its addresses; null if it has none. */
    to: z.string().nullable(),
  })
  .meta({ id: 'MovedWeb' })
export type MovedWeb = z.output<typeof movedWeb>

export const monitoredWebList = z
  .object({
    data: z.array(monitoredWeb),
    nodes: z.array(node),
    /** [+] */
    moved: z.array(movedWeb),
  })
  .meta({ id: 'MonitoredWebList' })
export type MonitoredWebList = z.output<typeof monitoredWebList>

export const monitoringState = z
  .object({
    /** The number of monitored webs, and of those that are down. Both include webs whose domain has moved away. */
    monitored: z.int(),
    down: z.int(),
    /** Of those that are not down, the ones that are degraded [+]. */
    degraded: z.int(),
    /** Seconds between rounds. */
    interval: z.int(),
    last_round: z
      .object({
        started_at: timestamp,
        probes: z.int(),
        failures: z.int(),
        /** `unknown` if all probes failed, probably due to our own network, or there are none although websites were due. */
        state: z.enum(['known', 'unknown']),
      })
      .nullable(),
  })
  .meta({ id: 'MonitoringState' })
export type MonitoringState = z.output<typeof monitoringState>

/** Whether a status below 500 other than 404 and 410 was returned. What a web's check expects may be something else. */
export const isUp = (status: number | null): boolean =>
  status !== null && status < 500 && status !== 404 && status !== 410

export const watchStateOptions = tonedOptions({
  up: 'green',
  degraded: 'orange',
  down: 'red',
  unknown: 'grey',
  unwatched: 'grey',
})
export type WatchState = 'up' | 'degraded' | 'down' | 'unknown' | 'unwatched'

/** `unknown` without a recent probe, `unwatched` if monitoring is off. */
export function watchState(
  web: Pick<MonitoredWeb, 'down_since' | 'degraded_since' | 'monitoring_web_active' | 'probed_at'>,
): WatchState {
  if (web.monitoring_web_active === 0) return 'unwatched'
  if (web.down_since !== null) return 'down'
  if (web.probed_at === null) return 'unknown'
  return web.degraded_since === null ? 'up' : 'degraded'
}

export const uptimePath = ({ id, fqdn }: { readonly id: number; readonly fqdn: string }): string =>
  `/monitoring/webs/show/${id}/${encodeURIComponent(fqdn)}`

/**
 * The specification's columns, with the state and, in lists of webs that are down, its reason beside the name, then others. The screen
 * has the reason in its language and renders the buttons in `actions`.
 */
export const monitoredWebColumns = defineGrid<MonitoredWeb>({
  name: 'uptime',
  primaryColumns: ['fqdn', 'state', 'reason', 'http_status_code'],
  columns: [
    { key: 'id', kind: 'number', width: 64 },
    { key: 'fqdn', kind: 'text', isMonospaced: true, width: 260 },
    {
      key: 'state',
      kind: 'status',
      width: 206,
      minWidth: 176,
      options: watchStateOptions,
      value: watchState,
    },
    {
      key: 'reason',
      kind: 'text',
      set: 'reason',
      // No filter, since the server, which notifies of what enters views, has the reasons in English only.
      displayOnly: true,
      wraps: true,
      width: 260,
      minWidth: 180,
      value: ({ down_reason, degraded_reason }) => down_reason ?? degraded_reason,
    },
    { key: 'sysuser', kind: 'text', isMonospaced: true, width: 152 },
    { key: 'node', kind: 'select', isMonospaced: true, width: 110, minWidth: 104 },
    { key: 'customer', kind: 'text', width: 120, minWidth: 92 },
    { key: 'http_status_code', kind: 'number', width: 150, minWidth: 84 },
    { key: 'comment', kind: 'text', width: 180, minWidth: 80 },
    { key: 'down_since', kind: 'date', set: 'probe', width: 170 },
    { key: 'response_time_ms', kind: 'number', set: 'probe', width: 176 },
    { key: 'probed_at', kind: 'date', set: 'probe', width: 170 },
    { key: 'maintenance_until', kind: 'date', set: 'probe', width: 170 },
    { key: 'actions', kind: 'text', displayOnly: true, width: 100, value: () => null },
  ],
  sets: [
    { key: 'reason', isVisibleByDefault: false },
    { key: 'probe', isVisibleByDefault: false },
  ],
})

export const statisticColumns = defineGrid<Statistic>({
  name: 'probes',
  primaryColumns: ['fqdn', 'status', 'created_at'],
  columns: [
    { key: 'created_at', kind: 'date', width: 170 },
    { key: 'web_id', kind: 'number', width: 72, value: (row) => row.web.id },
    { key: 'fqdn', kind: 'text', isMonospaced: true, width: 300, value: (row) => row.web.fqdn },
    { key: 'status', kind: 'number', width: 170 },
    { key: 'response_time_ms', kind: 'number', width: 176 },
    { key: 'reason', kind: 'text', width: 280 },
  ],
})
