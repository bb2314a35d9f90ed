import type { Cell, Column } from './columns.ts'

const rome = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Rome',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/**
 * A time as staff read it: yyyy/MM/dd HH:mm:ss in Europe/Rome.
 * @param iso an ISO 8601 time; anything else comes back as it is
 */
export function formatTime(iso: string): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  // en-GB gives dd/MM/yyyy, HH:mm:ss; slicing it is four times faster than formatToParts.
  const shown = rome.format(at)
  return `${shown.slice(6, 10)}/${shown.slice(3, 5)}/${shown.slice(0, 2)} ${shown.slice(12)}`
}

/** Bytes in a GiB. */
export const gib = 1024 ** 3

/** @param bytes shown in GiB, rounded to two decimals */
export const formatBytes = (bytes: number): string => `${(bytes / gib).toFixed(2)} GiB`

/** A cell as text: what the grid shows, the search looks through and a copied cell holds. */
export function cellText<Row>(column: Column<Row>, value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'object') return value.join(', ')
  switch (column.kind) {
    case 'bytes':
      return typeof value === 'number' ? formatBytes(value) : value
    case 'date':
      return formatTime(String(value))
    case 'select':
    case 'status':
      return column.options?.find((option) => option.value === value)?.label ?? String(value)
    default:
      return String(value)
  }
}
