import { differencesOf, differenceText, type LogFilter, logEntry } from '@kustos/contract/logs'
import { stringify } from 'csv-stringify/sync'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { boundsOf, readEntries } from './list.ts'
import type { PageEntry } from './page.ts'

const pageEntries = 1_000

const columns = [
  'id',
  'created_at',
  'log_name',
  'description',
  'subject_type',
  'subject_id',
  'subject_name',
  'causer_id',
  'causer',
  'changes',
]

/**
 * The entries that a filter leaves, newest first, as the lines of a CSV file, a page at a time. The export is in the log.
 * @throws DomainError as `listLogs`, before the first line; unauthenticated or forbidden between two pages if the user's session or
 * permission was revoked meanwhile
 */
export async function exportLogs(context: Context, filter: LogFilter): Promise<AsyncIterable<string>> {
  const { within: _, ...others } = filter
  // Pages that are read after midnight belong to the same period.
  const bounded = { ...others, ...boundsOf(context, filter) }
  // Entries that are written meanwhile are newer than the first page.
  const first = await readEntries(context, { ...bounded, limit: pageEntries })
  await withAudit(context, (tx) =>
    tx.record({ log: 'audit-log', description: 'exported', attributes: { filter } }),
  )
  return linesFrom(context, bounded, first)
}

async function* linesFrom(context: Context, filter: LogFilter, first: readonly PageEntry[]) {
  // The mark tells spreadsheets that it is UTF-8.
  yield stringify([], { ...format, bom: true, header: true })
  for (let page = first; page.length > 0; ) {
    yield stringify(page.map(toRow), format)
    const last = page.at(-1)
    if (last === undefined || page.length < pageEntries) return
    // The session may have ended while the client was reading.
    await context.readActor?.(context.db)
    page = await readEntries(context, { ...filter, before: Number(last.id), limit: pageEntries })
  }
}

/** Spreadsheets take a text that begins like a formula for one, unless an apostrophe precedes it. */
const format = { columns, record_delimiter: 'windows', escape_formulas: true } as const

function toRow({ json, causer }: PageEntry) {
  const entry = logEntry.parse(JSON.parse(json))
  const changes = differencesOf(entry)
    .map(({ field, oldValue, newValue }) => `${field}: ${differenceText(oldValue, newValue)}`)
    .join('; ')
  return { ...entry, causer, changes }
}
