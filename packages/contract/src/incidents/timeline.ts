import { z } from 'zod'
import { deploymentSummary } from '../deployment/deployment.ts'
import { logEntry } from '../logs/log.ts'
import { messageFields } from '../messages/schema.ts'
import { id, timestamp } from '../text.ts'

const incidentTimelineEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('probe'),
    at: timestamp,
    web: z.object({ id, fqdn: z.string() }),
    outcome: z.enum(['up', 'degraded', 'down', 'unconfirmed', 'blip', 'unknown']),
    status: z.int().nullable(),
    reason: z.string().nullable(),
    ...messageFields('reason'),
  }),
  z.object({
    kind: z.literal('alert'),
    at: timestamp,
    /** Of the three of webs, or the name of one that users have added; null if that was deleted. */
    channel: z.string().nullable(),
    channel_id: id.nullable(),
    title: z.string(),
    recipients: z.int(),
    state: z.enum(['sent', 'waiting', 'failed']),
  }),
  z.object({ kind: z.literal('deployment'), at: timestamp, deployment: deploymentSummary }),
  z.object({
    kind: z.literal('change'),
    at: timestamp,
    change: logEntry.extend({ causer: z.string().nullable() }),
  }),
])
export type IncidentTimelineEntry = z.output<typeof incidentTimelineEntry>

export const incidentTimeline = z
  .object({
    /** Oldest first. */
    data: z.array(incidentTimelineEntry),
    from: timestamp,
    to: timestamp,
  })
  .meta({ id: 'IncidentTimeline' })
export type IncidentTimeline = z.output<typeof incidentTimeline>
