import type { Cell, Column } from './columns.ts'

const rome = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Rome', timeZoneName: 'longOffset' })

const hour = 3_600_000
const day = 24 * hour

/** Asks Intl, which is slow. */
function parseRomeOffsetMs(at: number): number {
  const name = rome.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? []
  const ahead = Number(hours ?? 0) * hour + Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * 1000
  return sign === '-' ? -ahead : ahead
}

/** Caches of offsets for shorter and shorter stretches of time; null for those in which the clocks change. */
const stretches = [16 * day, day, hour].map((length) => ({
  length,
  offsets: new Map<number, number | null>(),
}))

/** The UTC offset of Europe/Rome at a time in Unix milliseconds. */
export function romeOffsetMs(at: number): number {
  for (const { length, offsets } of stretches) {
    const from = Math.floor(at / length) * length
    let offset = offsets.get(from)
    if (offset === undefined) {
      const first = parseRomeOffsetMs(from)
      offset = first === parseRomeOffsetMs(from + length - 1) ? first : null
      offsets.set(from, offset)
    }
    if (offset !== null) return offset
  }
  return parseRomeOffsetMs(at)
}

/** Formats an ISO 8601 time as yyyy/MM/dd HH:mm:ss in Europe/Rome; other texts are returned unchanged. */
export function formatTime(iso: string): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  const shown = new Date(at + romeOffsetMs(at)).toISOString()
  // Years beyond 9999 and before 0 have a sign and six digits.
  const date = shown.length - 'T00:00:00.000Z'.length
  return `${shown.slice(0, date).replaceAll('-', '/')} ${shown.slice(date + 1, date + 9)}`
}

export const gib = 1024 ** 3

/** Formats bytes as GiB with two decimals. */
export function formatBytes(bytes: number, decimalComma = false): string {
  const shown = (bytes / gib).toFixed(2)
  return `${decimalComma ? shown.replace('.', ',') : shown} GiB`
}

/** A text as it is compared: in lower case, and with composed letters (NFC), since those copied on a Mac may be in two parts. */
export const toComparable = (text: string): string => text.toLowerCase().normalize('NFC')

/** A cell as text: shown, searched and copied. */
export function cellText<Row>(column: Column<Row>, value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'object') return value.join(', ')
  switch (column.kind) {
    case 'bytes':
      return typeof value === 'number' ? formatBytes(value, column.decimalComma) : value
    case 'date':
      return formatTime(String(value))
    case 'select':
    case 'status':
      return column.options?.find((option) => option.value === value)?.label ?? String(value)
    default:
      return String(value)
  }
}
