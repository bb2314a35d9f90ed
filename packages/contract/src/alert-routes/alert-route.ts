import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { baseVersion, id, timestamp, timestampInput, visibleName } from '../text.ts'
import { alertSeverities, maxStepMinutes, maxSteps } from './states.ts'

const maxListed = 200
const listOf = <S extends z.ZodType>(element: S) =>
  z
    .array(element)
    .max(maxListed, issue('at_most', { max: maxListed }))
    .default([])
const names = listOf(z.string().min(1).max(255))
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, issue('time_of_day_invalid'))
  .nullable()
  .default(null)

const step = z.object({
  /** Since the step before. The incident must not be acknowledged by then. Ignored for the first step, which is at once. */
  after_minutes: z
    .int()
    .min(1, issue('at_least', { min: 1 }))
    .max(maxStepMinutes, issue('at_most', { max: maxStepMinutes }))
    .default(15),
  /** Ids of channels that get the message. */
  channels: listOf(id),
  /** Ids of rotas, whose user on call gets a mail and the incident. */
  rotas: listOf(id),
})

const editable = {
  name: visibleName(60),
  is_active: z.boolean().default(true),
  /** Codes. A web matches if all conditions do; an empty list matches every web. */
  customers: names,
  /** `contract` means every value, `contract:gold` only this one. */
  tags: names,
  nodes: names,
  severities: listOf(z.enum(alertSeverities)),
  /** 1 is Monday. A range past midnight counts as the day on which it starts. */
  weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
  /** Local times of Europe/Rome. `to_time` is exclusive, and may be before `from_time`, which means over midnight. */
  from_time: time,
  to_time: time,
  /** Whether the web's own channels get nothing, if the first step reaches anybody. */
  replaces_channels: z.boolean().default(false),
  /** Whether later routes are evaluated, too. */
  continues: z.boolean().default(false),
  steps: z
    .array(step)
    .min(1, issue('alert_route_step_missing'))
    .max(maxSteps, issue('at_most', { max: maxSteps })),
}

type Input = z.output<z.ZodObject<typeof editable>>

function checkRoute({ steps, from_time, to_time }: Input, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  if ((from_time === null) !== (to_time === null))
    refuse([from_time === null ? 'from_time' : 'to_time'], issue('missing'))
  if (from_time !== null && from_time === to_time) refuse(['to_time'], issue('alert_route_no_time'))
  if (steps.some(({ channels, rotas }) => channels.length + rotas.length === 0))
    refuse(['steps'], issue('alert_route_step_empty'))
}

export const newAlertRoute = z.object(editable).superRefine(checkRoute).meta({ id: 'NewAlertRoute' })
export type NewAlertRoute = z.output<typeof newAlertRoute>

/** All fields are replaced. */
export const alertRouteChange = z
  .object({ ...editable, ...baseVersion })
  .superRefine(checkRoute)
  .meta({ id: 'AlertRouteChange' })
export type AlertRouteChange = z.output<typeof alertRouteChange>

/** All routes, in their new order. */
export const alertRouteOrder = z.object({ ids: z.array(id).max(1_000) }).meta({ id: 'AlertRouteOrder' })

const named = z.object({ id, name: z.string() })
const person = z.object({ id, name: z.string(), email: z.string() })

/** A rule that says who is alerted. */
export const alertRoute = z
  .object({
    id,
    name: z.string(),
    is_active: z.boolean(),
    customers: z.array(z.string()),
    tags: z.array(z.string()),
    nodes: z.array(z.string()),
    severities: z.array(z.enum(alertSeverities)),
    weekdays: z.array(z.int()),
    from_time: z.string().nullable(),
    to_time: z.string().nullable(),
    replaces_channels: z.boolean(),
    continues: z.boolean(),
    steps: z.array(z.object({ after_minutes: z.int(), channels: z.array(named), rotas: z.array(named) })),
    updated_at: timestamp,
  })
  .meta({ id: 'AlertRoute' })
export type AlertRoute = z.output<typeof alertRoute>

export const alertPreviewRequest = z
  .object({
    web: id,
    severity: z.enum(alertSeverities),
    /** By default now. Steps and hand-overs after it must not leave the last year. */
    at: timestampInput(issue('time_invalid'), 9998).nullable().default(null),
  })
  .meta({ id: 'AlertPreviewRequest' })

/** Who would be alerted. */
export const alertPreview = z
  .object({
    at: timestamp,
    /** Whether a maintenance window holds alerts back at this time. */
    is_in_maintenance: z.boolean(),
    /** The web's own channels, or its customer's; none if a route replaces them and reaches anybody. */
    own_channels: z.array(z.string()),
    /** Users who get mails of all webs. */
    subscribers: z.array(person),
    /** Those that match, in their order. */
    routes: z.array(
      named.extend({
        replaces_channels: z.boolean(),
        continues: z.boolean(),
        steps: z.array(
          z.object({
            /** Minutes after the first alert. */
            minutes: z.int(),
            channels: z.array(named),
            /** Who is on call then; null if nobody is. */
            on_call: z.array(z.object({ rota: named, user: person.nullable() })),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'AlertPreview' })
export type AlertPreview = z.output<typeof alertPreview>
