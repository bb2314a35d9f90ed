import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { baseVersion, composedText, dateInput, id, timestamp, timestampInput, visibleName } from '../text.ts'
import { handovers, maxOverrideDays, maxRotaUsers } from './states.ts'

const dayMs = 24 * 3_600_000

const editable = {
  name: visibleName(60),
  /** Ids of users, in their order. */
  users: z
    .array(id)
    .min(1, issue('rota_users_missing'))
    .max(maxRotaUsers, issue('at_most', { max: maxRotaUsers })),
  handover: z.enum(handovers),
  /** If it is weekly: 1 is Monday. */
  weekday: z.int().min(1).max(7).nullable().default(null),
  /** Local time of Europe/Rome. One that the clocks skip is an hour later, of one that occurs twice the first counts. */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, issue('time_of_day_invalid')),
  /** A day of Europe/Rome: its first user is on call from this day's `time` until the next hand-over. */
  first_day: dateInput,
}

function checkRota(
  {
    handover,
    weekday,
    users,
  }: Pick<z.output<z.ZodObject<typeof editable>>, 'handover' | 'weekday' | 'users'>,
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (handover === 'weekly' && weekday === null) refuse('weekday', issue('missing'))
  if (new Set(users).size < users.length) refuse('users', issue('rota_user_twice'))
}

/** `weekday` is ignored unless it is weekly. */
export const newRota = z.object(editable).superRefine(checkRota).meta({ id: 'NewRota' })
export type NewRota = z.output<typeof newRota>

/** All fields are replaced. */
export const rotaChange = z
  .object({ ...editable, ...baseVersion })
  .superRefine(checkRota)
  .meta({ id: 'RotaChange' })
export type RotaChange = z.output<typeof rotaChange>

export const newOverride = z
  .object({
    user: id,
    /** By default now. */
    from: timestampInput(issue('time_invalid')).nullable().default(null),
    to: timestampInput(issue('time_invalid')),
    note: composedText(255)
      .nullable()
      .default(null)
      .transform((value) => (value === '' ? null : value)),
  })
  .superRefine(({ from, to }, context) => {
    const durationMs = from === null ? 0 : Date.parse(to) - Date.parse(from)
    if (from !== null && durationMs <= 0)
      context.addIssue({ code: 'custom', path: ['to'], message: issue('to_not_after_from') })
    if (durationMs > maxOverrideDays * dayMs)
      context.addIssue({
        code: 'custom',
        path: ['to'],
        message: issue('too_many_days', { max: maxOverrideDays }),
      })
  })
  .meta({ id: 'NewRotaOverride' })
export type NewOverride = z.output<typeof newOverride>

const person = z.object({ id, name: z.string(), email: z.string() })

const shift = z.object({
  /** Null if nobody can be on call. */
  user: person.nullable(),
  from: timestamp,
  to: timestamp,
  /** The override that decides it; null if the rota does. */
  override_id: id.nullable(),
})
export type Shift = z.output<typeof shift>

/** Who is on call when. Users who are deleted or may no longer see incidents are skipped. */
export const rota = z
  .object({
    id,
    name: z.string(),
    users: z.array(person.extend({ can_be_on_call: z.boolean() })),
    handover: z.enum(handovers),
    /** Null if it is daily. */
    weekday: z.int().nullable(),
    time: z.string(),
    first_day: z.iso.date(),
    /** Who is on call now, and until when; null before its start. */
    now: shift.nullable(),
    /** The shifts that follow. */
    next: z.array(shift),
    /** Those that are not over. */
    overrides: z.array(
      z.object({
        id,
        user: person,
        from: timestamp,
        to: timestamp,
        note: z.string().nullable(),
        created_by: person.nullable(),
      }),
    ),
    /** The alert routes that use it. */
    routes: z.array(z.object({ id, name: z.string() })),
    updated_at: timestamp,
  })
  .meta({ id: 'Rota' })
export type Rota = z.output<typeof rota>
export type RotaOverride = Rota['overrides'][number]
