import { z } from 'zod'
import { defineGrid } from '../grid/columns.ts'
import { listChange, listChangeText } from '../log-lists.ts'
import { logNames } from '../log-words.ts'
import { issue } from '../messages/message.ts'
import { id, idParam, numberParam, text, timestamp, timestampInput } from '../text.ts'

export const subjectTypes = [
  'web',
  'user',
  'role',
  'deployment',
  'external_domain',
  'batch',
  'customer',
  'node',
  'tag',
] as const

const values = z.record(z.string(), z.unknown())

/** A line of the audit log. */
export const logEntry = z
  .object({
    id: z.int(),
    created_at: timestamp,
    /** One of `logNames`; older releases may have used others, also of `subjectTypes`. */
    log_name: z.string(),
    description: z.string(),
    subject_type: z.string().nullable(),
    subject_id: id.nullable(),
    /** The subject's current fqdn, e-mail or name; null if unknown [+]. */
    subject_name: z.string().nullable(),
    /** Null if the system or a visitor caused it. */
    causer_id: id.nullable(),
    /** New and old values of the changed fields. */
    properties: z.object({ attributes: values.optional(), old: values.optional() }),
  })
  .meta({ id: 'LogEntry' })
export type LogEntry = z.output<typeof logEntry>

export const logList = z
  .object({
    data: z.array(logEntry),
    /**
     * The causers of these entries, including deleted users; for those who may see the list of users, all possible causers.
     */
    users: z.array(z.object({ id, email: z.string() })),
  })
  .meta({ id: 'LogList' })
export type LogList = z.output<typeof logList>

/** Entries per response. */
export const logLimit = { default: 1000, max: 10_000 } as const

const number = (max: number) =>
  numberParam(/^[1-9]\d{0,14}$/, max, issue('not_positive'), issue('too_large', { max }))

const timeParam = timestampInput(issue('time_invalid'))

export const logQuery = z
  .object({
    limit: number(logLimit.max).optional(),
    /** Only this entry [+]. */
    id: number(Number.MAX_SAFE_INTEGER).optional(),
    /** Only entries older than the one with this id. */
    before: number(Number.MAX_SAFE_INTEGER).optional(),
    /** A user's id, or `none` for the system and visitors. */
    causer: z.union([z.literal('none'), idParam], { error: issue('not_an_id_or_none') }).optional(),
    log: text(60).optional(),
    /** Excludes a log [+]. */
    without: z.enum(logNames).optional(),
    subject_type: z.enum(subjectTypes).optional(),
    subject_id: idParam.optional(),
    from: timeParam.optional(),
    /** Exclusive. */
    to: timeParam.optional(),
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

/** A changed field; a value is undefined if the entry does not have that side. */
export interface FieldChange {
  readonly field: string
  readonly oldValue: unknown
  readonly newValue: unknown
}

export const differencesOf = ({
  properties: { attributes = {}, old = {} },
}: Pick<LogEntry, 'properties'>): readonly FieldChange[] =>
  [...new Set([...Object.keys(attributes), ...Object.keys(old)])].map((field) => ({
    field,
    oldValue: old[field],
    newValue: attributes[field],
  }))

export function logText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The change of a field on one line: removed and added entries of lists, else the old and the new value. */
export function differenceText(
  old: unknown,
  now: unknown,
  textOf: (value: unknown) => string = logText,
): string {
  const change = listChange(old, now)
  return change === null ? `${textOf(old)} → ${textOf(now)}` : listChangeText(change)
}

/** A row of the grid. */
export type LogRow = LogEntry & { readonly causer: string | null }

/** Entries with the e-mails of their causers, or their ids if unknown. */
export function logRows({ data, users }: LogList): LogRow[] {
  const emails = new Map(users.map((user) => [user.id, user.email]))
  return data.map((entry) => ({
    ...entry,
    causer: entry.causer_id === null ? null : (emails.get(entry.causer_id) ?? String(entry.causer_id)),
  }))
}

export const logColumns = defineGrid<LogRow>({
  name: 'logs',
  primaryColumns: ['created_at', 'description', 'properties'],
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
          .map(({ field, oldValue, newValue }) => `${field}: ${differenceText(oldValue, newValue)}`)
          .join('; '),
    },
    { key: 'subject_name', kind: 'text', isMonospaced: true, width: 190 },
  ],
})
