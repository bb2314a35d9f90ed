import { CsvError, parse } from 'csv-parse/sync'

export interface Line {
  /** Where the row begins in the file, counted from 1. */
  readonly line: number
  /** Trimmed, by column. */
  readonly values: Readonly<Record<string, string>>
  /** Why the row cannot be read. */
  readonly mistake: string | null
}

/** The file is not a list. The message is meant for the user. */
export class UnreadableFileError extends Error {}

export interface Column {
  /** The names it may have, in lower case. */
  readonly called: readonly string[]
  readonly optional?: boolean
}

export type Columns = Readonly<Record<string, Column>>

/**
 * Reads a CSV file as spreadsheets write it: UTF-8 with or without a byte order mark, LF or CRLF, separated by `;`, `,`
 * or tabs, which a first line such as `sep=;` may state. The header names the columns in any order and may name others.
 * Values are not interpreted.
 * @throws UnreadableFileError
 */
export function readCsv(file: Uint8Array, columns: Columns): readonly Line[] {
  const records = recordsOf(textOf(file))
  const [header, ...rows] = records
  if (!header) throw new UnreadableFileError('The file is empty.')
  const places = placesOf(header.values, columns)
  if (header.isOpen) throw new UnreadableFileError('A quotation mark in the first line is not closed.')
  return rows.map(({ line, values, isOpen }) => ({
    line,
    values: Object.fromEntries([...places].map(([column, place]) => [column, (values[place] ?? '').trim()])),
    mistake: isOpen
      ? 'A quotation mark is not closed'
      : values.length === header.values.length
        ? null
        : `Expected ${header.values.length} values, found ${values.length}`,
  }))
}

function textOf(file: Uint8Array): string {
  try {
    // The decoder removes the byte order mark. With uniform line ends, those inside values are counted correctly.
    return new TextDecoder('utf-8', { fatal: true }).decode(file).replace(/\r\n?/g, '\n')
  } catch (cause) {
    throw new UnreadableFileError('The file is not UTF-8: save it as “CSV UTF-8”.', { cause })
  }
}

/** Spreadsheets may state the separator in a line above the header. */
const separatorLine = /^"?sep=([;,\t])"?[;,\t]*\n/i

/** @returns the separator that is most frequent in the first line */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const count = (sign: string) => first.split(sign).length
  return [';', ',', '\t'].reduce((most, sign) => (count(sign) > count(most) ? sign : most))
}

interface Row {
  readonly line: number
  readonly values: readonly string[]
  /** Whether it has a quote that is not closed. Reading then continues on the next line. */
  readonly isOpen: boolean
}

/** After each of them the rest of the file is read again, so that thousands would take minutes. */
const maxOpenRows = 100

function recordsOf(text: string): readonly Row[] {
  const [above = '', sign = ''] = separatorLine.exec(text) ?? []
  const lines = text.slice(above.length).split('\n')
  const delimiter = sign || delimiterOf(text)
  const rows: Row[] = []
  let read = 0
  for (let openRows = 0; read < lines.length; openRows++) {
    if (openRows > maxOpenRows)
      throw new UnreadableFileError(
        `More than ${maxOpenRows} lines have a quotation mark that is not closed.`,
      )
    const { records, end } = parseRecords(lines.slice(read).join('\n'), delimiter)
    const offset = read + (above === '' ? 0 : 1)
    rows.push(...records.map((record) => ({ ...record, line: record.line + offset, isOpen: false })))
    if (end === null) break
    const open = lines.findIndex((line, index) => index >= read + end && line !== '')
    const values = (lines[open] ?? '').replaceAll('"', '').split(delimiter)
    rows.push({ line: open + 1 + (above === '' ? 0 : 1), values, isOpen: true })
    read = open + 1
  }
  return rows
}

/** @returns the records up to a quote that is not closed in its value, and the number of lines they take; `end` is null if all were read */
function parseRecords(text: string, delimiter: string) {
  const records: { line: number; values: readonly string[] }[] = []
  let end = 0
  let isOpen = false
  /** A quote further below may close it, after which the lines between would be part of its value. */
  const takesLines = (value: string) =>
    value.startsWith('"') && value.includes('\n') && !text.includes(`"${value.replaceAll('"', '""')}"`)
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record(values: string[], { lines }) {
        isOpen ||= values.some(takesLines)
        if (isOpen) return null
        end = lines
        // `lines` counts up to the end of the record.
        const line = lines - values.join('').split('\n').length + 1
        // Spreadsheets write emptied rows as separators only.
        if (values.some((value) => value.trim() !== '')) records.push({ line, values })
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return { records, end }
    throw new UnreadableFileError(`The file cannot be read: ${error.message}.`, { cause: error })
  }
  return { records, end: isOpen ? end : null }
}

function placesOf(header: readonly string[], columns: Columns): ReadonlyMap<string, number> {
  const names = header.map((name) => name.trim().toLowerCase())
  const places = new Map<string, number>()
  for (const [column, { called, optional }] of Object.entries(columns)) {
    const found = names.flatMap((name, place) => (called.includes(name) ? [place] : []))
    const [place, ...more] = found
    if (place === undefined) {
      if (optional) continue
      const needed = Object.keys(columns).filter((name) => !columns[name]?.optional)
      throw new UnreadableFileError(
        `The first line must name the columns ${needed.join(', ')}; ${column} is missing.`,
      )
    }
    if (more.length > 0) throw new UnreadableFileError(`The first line names the column ${column} twice.`)
    places.set(column, place)
  }
  return places
}
