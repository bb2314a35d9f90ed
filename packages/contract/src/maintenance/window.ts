import { z } from 'zod'
import { maxBatchWebs } from '../batches/states.ts'
import { requester } from '../deployment/deployment.ts'
import { issue } from '../messages/message.ts'
import { baseVersion, dateInput, id, timestamp, timestampInput, visibleText } from '../text.ts'
import {
  maintenanceRepeats,
  maintenanceStates,
  maxMaintenanceDays,
  maxMaintenanceMinutes,
  maxMaintenanceNames,
} from './states.ts'

const names = z
  .array(z.string().min(1).max(255))
  .max(maxMaintenanceNames, issue('at_most', { max: maxMaintenanceNames }))
  .default([])

const editable = {
  /** Why, as everyone reads it who sees what the window covers. */
  reason: visibleText(500).min(1, issue('reason_required')),
  /** What it covers: these webs, those of these nodes and customers, and those that carry one of these tags. */
  webs: z
    .array(id)
    // As many as a batch takes, since both are of what is selected in the list.
    .max(maxBatchWebs, issue('at_most', { max: maxBatchWebs }))
    .default([]),
  nodes: names,
  /** Codes. */
  customers: names,
  /** `contract` means every value, `contract:gold` only this one. */
  tags: names,
  repeats: z.enum(maintenanceRepeats),
  /** If it takes place once. A start in the past counts from now. */
  starts_at: timestampInput(issue('time_invalid')).nullable().default(null),
  ends_at: timestampInput(issue('time_invalid')).nullable().default(null),
  /** If it is weekly: 1 is Monday. */
  weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
  /** If it is monthly. In a month without this day it takes place on the last one. */
  month_days: z.array(z.int().min(1).max(31)).max(31).default([]),
  /** If it repeats: local time of Europe/Rome. A time that the clocks skip is an hour later, of one that occurs twice the first counts. */
  start_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, issue('time_of_day_invalid'))
    .nullable()
    .default(null),
  duration_minutes: z
    .int()
    .min(1, issue('at_least', { min: 1 }))
    .max(maxMaintenanceMinutes, issue('at_most', { max: maxMaintenanceMinutes }))
    .nullable()
    .default(null),
  /** Days of Europe/Rome on which it may begin, both inclusive. By default from today on, without an end. */
  first_day: dateInput.nullable().default(null),
  last_day: dateInput.nullable().default(null),
}

type Input = z.output<z.ZodObject<typeof editable>>

const dayMs = 24 * 3_600_000

function checkWindow(window: Input, context: z.RefinementCtx): void {
  const refuse = (path: keyof Input, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if ([window.webs, window.nodes, window.customers, window.tags].every((list) => list.length === 0))
    refuse('webs', issue('maintenance_target_missing'))
  for (const field of requiredFields[window.repeats])
    if (window[field] === null || window[field].length === 0) refuse(field, issue('missing'))
  if (window.repeats !== 'once' && window.duration_minutes === null)
    refuse('duration_minutes', issue('missing'))
  const { starts_at, ends_at, first_day, last_day } = window
  if (window.repeats === 'once' && starts_at !== null && ends_at !== null) {
    const durationMs = Date.parse(ends_at) - Date.parse(starts_at)
    if (durationMs <= 0) refuse('ends_at', issue('to_not_after_from'))
    if (durationMs > maxMaintenanceDays * dayMs)
      refuse('ends_at', issue('too_many_days', { max: maxMaintenanceDays }))
  }
  if (window.repeats !== 'once' && first_day !== null && last_day !== null && last_day < first_day)
    refuse('last_day', issue('end_before_begin'))
}

const requiredFields = {
  once: ['starts_at', 'ends_at'],
  weekly: ['weekdays', 'start_time'],
  monthly: ['month_days', 'start_time'],
} as const

/** Fields that do not belong to `repeats` are ignored. */
export const newMaintenanceWindow = z
  .object(editable)
  .superRefine(checkWindow)
  .meta({ id: 'NewMaintenanceWindow' })
export type NewMaintenanceWindow = z.output<typeof newMaintenanceWindow>

/** All fields are replaced. */
export const maintenanceWindowChange = z
  .object({ ...editable, ...baseVersion })
  .superRefine(checkWindow)
  .meta({ id: 'MaintenanceWindowChange' })
export type MaintenanceWindowChange = z.output<typeof maintenanceWindowChange>

/** A planned time in which alerts are muted and downtime counts as planned. Its list of webs has only those that the user may see. */
export const maintenanceWindow = z
  .object({
    id,
    reason: z.string(),
    webs: z.array(z.object({ id, fqdn: z.string() })),
    nodes: z.array(z.string()),
    customers: z.array(z.string()),
    tags: z.array(z.string()),
    repeats: z.enum(maintenanceRepeats),
    /** Null if it repeats. */
    starts_at: timestamp.nullable(),
    ends_at: timestamp.nullable(),
    weekdays: z.array(z.int()),
    month_days: z.array(z.int()),
    /** Null if it takes place once, as the next three. */
    start_time: z.string().nullable(),
    duration_minutes: z.int().nullable(),
    first_day: z.iso.date().nullable(),
    last_day: z.iso.date().nullable(),
    state: z.enum(maintenanceStates),
    /** Null unless it is running. */
    running_until: timestamp.nullable(),
    /** The next time that it begins; null if it does not. */
    next_starts_at: timestamp.nullable(),
    planned_by: requester.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'MaintenanceWindow' })
export type MaintenanceWindow = z.output<typeof maintenanceWindow>
