import { differencesOf, differenceText, type LogFilter, logEntry } from '@kustos/contract/logs'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { readEntries } from './list.ts'
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
] as const

/**
 * The entries that a filter leaves, newest first, as the lines of a CSV file, a page at a time. The export is in the log.
 * @throws DomainError as `listLogs`, before the first line
 */
export async function exportLogs(context: Context, filter: LogFilter): Promise<AsyncIterable<string>> {
  // Entries that are written meanwhile are newer than the first page.
  const first = await readEntries(context, { ...filter, limit: pageEntries })
  await withAudit(context, (tx) =>
    tx.record({ log: 'audit-log', description: 'exported', attributes: { filter } }),
  )
  return linesFrom(context, filter, first)
}

async function* linesFrom(context: Context, filter: LogFilter, first: readonly PageEntry[]) {
  // The mark tells spreadsheets that it is UTF-8.
  yield `\uFEFF${toLine(columns)}`
  for (let page = first; page.length > 0; ) {
    yield page.map(toRow).join('')
    const last = page.at(-1)
    if (last === undefined || page.length < pageEntries) return
    page = await readEntries(context, { ...filter, before: Number(last.id), limit: pageEntries })
  }
}

function toRow({ json, causer }: PageEntry): string {
  const entry = logEntry.parse(JSON.parse(json))
  const changes = differencesOf(entry)
    .map(({ field, oldValue, newValue }) => `${field}: ${differenceText(oldValue, newValue)}`)
    .join('; ')
  const cells = { ...entry, causer, changes }
  return toLine(columns.map((column) => cells[column]))
}

const toLine = (cells: readonly unknown[]) => `${cells.map(toCell).join(',')}\r\n`

/** Spreadsheets take a text that begins like a formula for one, unless it is quoted by an apostrophe. */
function toCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
