import { z } from 'zod'
import { messageFields } from '../messages/schema.ts'
import { id, time } from '../text.ts'
import { node } from '../webs/index.ts'

const webName = z.object({ id, fqdn: z.string() })

export const statistic = z
  .object({
    web: webName,
    /** Null without a response. */
    status: z.int().nullable(),
    created_at: time,
    /** From the start of the probe to the end of the response's header [+]. */
    response_time_ms: z.int().nullable(),
    /** Why there was no response, in a sentence [+]. */
    reason: z.string().nullable(),
    ...messageFields('reason'),
  })
  .meta({ id: 'Statistic' })
export type Statistic = z.output<typeof statistic>

/** What is known of one web over one day of Europe/Rome. */
export const uptimeDay = z
  .object({
    date: z.iso.date(),
    /** In whole seconds. */
    downtime: z.int(),
    checks: z.int(),
    /** Checks whose failure a second probe confirmed. */
    failures: z.int(),
    /** In percent of the monitored time; null where none was. */
    uptime: z.number().nullable(),
    /** Median. */
    response_time_ms: z.int().nullable(),
    /** 95th percentile [+]. */
    response_time_p95_ms: z.int().nullable(),
    /** Seconds of the day, as far as it has passed, that was not monitored [+]. */
    unknown: z.int(),
  })
  .meta({ id: 'UptimeDay' })
export type UptimeDay = z.output<typeof uptimeDay>

/** A time for which a web was down. */
export const incident = z
  .object({
    id,
    web: webName.extend({ node: z.string().nullable(), customer: z.string() }),
    started_at: time,
    /** Null while it goes on. */
    ended_at: time.nullable(),
    status: z.int().nullable(),
    reason: z.string(),
    ...messageFields('reason'),
    /** In whole seconds, without the time that was not monitored. */
    downtime: z.int(),
    /** When its channels and subscribers were notified; null while that is held back, as under a deployment of ours. */
    alerted_at: time.nullable(),
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
    /** Null without a recent probe. */
    probed_at: time.nullable(),
    /** Since when it is down; null while it is up. */
    down_since: time.nullable(),
  })
  .meta({ id: 'MonitoredWeb' })
export type MonitoredWeb = z.output<typeof monitoredWeb>

export const monitoredWebList = z
  .object({ data: z.array(monitoredWeb), nodes: z.array(node) })
  .meta({ id: 'MonitoredWebList' })
export type MonitoredWebList = z.output<typeof monitoredWebList>

export const monitoringState = z
  .object({
    /** Webs that are probed. */
    monitored: z.int(),
    /** Those of them with an open incident. */
    down: z.int(),
    /** Seconds from round to round. */
    interval: z.int(),
    last_round: z
      .object({
        started_at: time,
        probes: z.int(),
        failures: z.int(),
        /** unknown: every probe failed, so Kustos suspects itself. */
        state: z.enum(['known', 'unknown']),
      })
      .nullable(),
  })
  .meta({ id: 'MonitoringState' })
export type MonitoringState = z.output<typeof monitoringState>

/** Whether a response counts as up: any status up to 499 but 404 and 410. */
export const isUp = (status: number | null): boolean =>
  status !== null && status < 500 && status !== 404 && status !== 410
