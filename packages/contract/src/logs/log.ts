import { z } from 'zod'
import { defineGrid } from '../grid/columns.ts'
import { listChange, listChangeText } from '../log-lists.ts'
import { id, timestamp } from '../text.ts'

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
    /** Of the request that caused it, as in the programs' logs; null for what no request has caused [+]. */
    request_id: z.string().nullable(),
    /** The current names of what the new values name by its id, by field; null if there are none [+]. */
    names: z.record(z.string(), z.string()).nullable(),
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

/** Rows come filtered from the server, newest first. */
const shown = { displayOnly: true } as const

export const logColumns = defineGrid<LogRow>({
  name: 'logs',
  primaryColumns: ['created_at', 'causer', 'description', 'subject_name', 'properties'],
  columns: [
    { key: 'created_at', kind: 'date', width: 160, ...shown },
    { key: 'log_name', kind: 'select', width: 104, minWidth: 88, ...shown },
    { key: 'description', kind: 'text', width: 132, minWidth: 108, ...shown },
    { key: 'subject_type', kind: 'select', width: 90, ...shown },
    { key: 'subject_id', kind: 'number', width: 92, ...shown },
    { key: 'subject_name', kind: 'text', isMonospaced: true, width: 176, minWidth: 140, ...shown },
    { key: 'causer', kind: 'select', width: 160, minWidth: 136, ...shown },
    {
      key: 'properties',
      kind: 'text',
      width: 480,
      minWidth: 250,
      ...shown,
      value: (row) =>
        differencesOf(row)
          .map(({ field, oldValue, newValue }) => `${field}: ${differenceText(oldValue, newValue)}`)
          .join('; '),
    },
  ],
})
