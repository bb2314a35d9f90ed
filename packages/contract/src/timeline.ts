import { z } from 'zod'
import { certificateStates } from './certificates/states.ts'
import { deploymentSummary } from './deployment/index.ts'
import { logEntry } from './logs/log.ts'
import { issue } from './messages/message.ts'
import { incident } from './monitoring/index.ts'
import { id, numberParam, timestamp } from './text.ts'

export const timelineWeeks = { default: 4, max: 52 } as const
/** At most this many entries of each kind. */
export const timelineLimit = 500

export const timelineQuery = z.object({
  weeks: numberParam(
    /^[1-9]\d?$/,
    timelineWeeks.max,
    issue('not_in_range', { min: 1, max: timelineWeeks.max }),
  ).optional(),
})

const timelineEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('deployment'), at: timestamp, deployment: deploymentSummary }),
  z.object({ kind: z.literal('incident'), at: timestamp, incident }),
  z.object({
    kind: z.literal('change'),
    at: timestamp,
    change: logEntry.extend({ causer: z.string().nullable() }),
  }),
  z.object({
    kind: z.literal('certificate'),
    at: timestamp,
    certificate: z.object({
      web: z.object({ id, fqdn: z.string() }),
      /** `valid`: it was issued then; otherwise what has been wrong with it since then. */
      state: z.enum(certificateStates),
      names: z.array(z.string()),
      authority: z.string().nullable(),
      valid_to: timestamp.nullable(),
    }),
  }),
])
export type TimelineEntry = z.output<typeof timelineEntry>

export const timeline = z
  .object({
    data: z.array(timelineEntry),
    /** The beginning of the time that the entries cover completely. */
    from: timestamp,
  })
  .meta({ id: 'Timeline' })
export type Timeline = z.output<typeof timeline>
