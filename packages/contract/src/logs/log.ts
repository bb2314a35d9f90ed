import { z } from 'zod'
import { defineGrid } from '../grid/columns.ts'
import { listChange, listChangeText } from '../log-lists.ts'
import { logNames } from '../log-words.ts'
import { issue } from '../messages/message.ts'
import { id, idParam, moment, text, time } from '../text.ts'

/** What a log entry may be about, and what its subject's id counts. */
export const subjectTypes = ['web', 'user', 'role', 'deployment', 'external_domain'] as const

const values = z.record(z.string(), z.unknown())

/** A line of the audit log. */
export const logEntry = z
  .object({
    id: z.int(),
    created_at: time,
    /** The feature. */
    log_name: z.string(),
    /** What happened, in the past tense. */
    description: z.string(),
    /** One of `subjectTypes`; older releases may have written others. */
    subject_type: z.string().nullable(),
    subject_id: id.nullable(),
    /** What the subject is called now: a web's fqdn, a user's e-mail, a role's name; null where that is unknown [+]. */
    subject_name: z.string().nullable(),
    /** Null for what Kustos did of its own, and for visitors. */
    causer_id: id.nullable(),
    /** The values after and before, of what changed. */
    properties: z.object({ attributes: values.optional(), old: values.optional() }),
  })
  .meta({ id: 'LogEntry' })
export type LogEntry = z.output<typeof logEntry>

export const logList = z
  .object({
    data: z.array(logEntry),
    /** Everybody who can be a causer, deleted users among them. */
    users: z.array(z.object({ id, email: z.string() })),
  })
  .meta({ id: 'LogList' })
export type LogList = z.output<typeof logList>

/** Rows of one response. */
export const logLimit = { usual: 1000, most: 10_000 } as const

const number = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, issue('not_positive'))
    .transform(Number)
    .pipe(z.int().max(most, issue('too_large', { max: most })))

const asked = moment(issue('time_invalid'))

export const logQuery = z
  .object({
    limit: number(logLimit.most).optional(),
    /** The id of an entry: that one alone [+]. */
    id: number(Number.MAX_SAFE_INTEGER).optional(),
    /** The id of an entry: older ones than that. */
    before: number(Number.MAX_SAFE_INTEGER).optional(),
    /** A user's id, or `none` for what nobody signed in has caused. */
    causer: z.union([z.literal('none'), idParam], { error: issue('not_an_id_or_none') }).optional(),
    log: text(60).optional(),
    /** The name of a log whose entries are left out [+]. */
    without: z.enum(logNames).optional(),
    subject_type: z.enum(subjectTypes).optional(),
    subject_id: idParam.optional(),
    /** From this moment on. */
    from: asked.optional(),
    /** Before this moment. */
    to: asked.optional(),
  })
  .refine(({ subject_type, subject_id }) => subject_id === undefined || subject_type !== undefined, {
    path: ['subject_type'],
    message: issue('subject_id_without_type'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    path: ['to'],
    message: issue('to_not_after_from'),
  })
export type LogQuery = z.output<typeof logQuery>

export { type ListChange, listChange } from '../log-lists.ts'

/** What differs in an entry: each field with its value before and after. */
export const differencesOf = ({ properties: { attributes = {}, old = {} } }: Pick<LogEntry, 'properties'>) =>
  [...new Set([...Object.keys(attributes), ...Object.keys(old)])].map((field) => ({
    field,
    old: old[field],
    attributes: attributes[field],
  }))

/** A value of the log on one line. */
export function logText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What differs in a field on one line: of lists what went and came, of all else both sides. */
export function differenceText(
  old: unknown,
  now: unknown,
  textOf: (value: unknown) => string = logText,
): string {
  const change = listChange(old, now)
  return change === null ? `${textOf(old)} → ${textOf(now)}` : listChangeText(change)
}

/** The grid's row: an entry and its causer's name. */
export type LogRow = LogEntry & { readonly causer: string | null }

/** Entries with their causers' e-mails, or ids where a user is not known. */
export function logRows({ data, users }: LogList): LogRow[] {
  const emails = new Map(users.map((user) => [user.id, user.email]))
  return data.map((entry) => ({
    ...entry,
    causer: entry.causer_id === null ? null : (emails.get(entry.causer_id) ?? String(entry.causer_id)),
  }))
}

export const logColumns = defineGrid<LogRow>({
  name: 'logs',
  columns: [
    { key: 'created_at', kind: 'date', width: 160 },
    { key: 'log_name', kind: 'select', width: 120 },
    { key: 'description', kind: 'text', width: 150 },
    { key: 'subject_type', kind: 'select', width: 110 },
    { key: 'subject_id', kind: 'number', width: 116 },
    { key: 'causer', kind: 'select', width: 190 },
    {
      key: 'properties',
      kind: 'text',
      width: 480,
      value: (row) =>
        differencesOf(row)
          .map(({ field, old, attributes }) => `${field}: ${differenceText(old, attributes)}`)
          .join('; '),
    },
    { key: 'subject_name', kind: 'text', mono: true, width: 190 },
  ],
})
