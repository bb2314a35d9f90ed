import { formatTime } from '@kustos/contract/grid'
import { differencesOf, type FieldChange, type LogEntry } from '@kustos/contract/logs'

export interface ValueLabels {
  readonly yes: string
  readonly no: string
  readonly none: string
  readonly bytes: (bytes: number) => string
  /** Label of a code; undefined if the field has no codes. */
  readonly nameOf: (field: string, value: unknown) => string | undefined
  readonly labelOf: (field: string) => string
}

/** Keys that name a referenced row. */
const naming = ['name', 'fqdn', 'email', 'label', 'id'] as const

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isEmpty))

/** The changed fields of an entry, without those that are empty before and after. */
export const changesIn = (entry: Pick<LogEntry, 'properties'>): readonly FieldChange[] =>
  differencesOf(entry).filter(({ oldValue, newValue }) => !isEmpty(oldValue) || !isEmpty(newValue))

/**
 * A value as lines of text: simple values and lists of them take one line, a list of objects one line each.
 */
export function formatValueLines(field: string, value: unknown, words: ValueLabels): readonly string[] {
  if (isEmpty(value)) return [words.none]
  if (!Array.isArray(value)) return formatValue(field, value, words).split('\n')
  const items = value.map((item: unknown) => formatValue(field, item, words))
  const isPlain = value.every((item: unknown) => typeof item !== 'object' || nameIn(item) !== undefined)
  return isPlain ? [items.join(', ')] : items
}

function formatValue(field: string, value: unknown, words: ValueLabels): string {
  const named = words.nameOf(field, value)
  if (named !== undefined) return named
  if (isEmpty(value)) return words.none
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return field === 'disk_usage' ? words.bytes(value) : String(value)
  if (typeof value === 'string') return isTime(value) ? formatTime(value) : value
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.map((item: unknown) => formatValue(field, item, words)).join(', ')
  return (
    nameIn(value) ??
    Object.entries(value)
      .filter(([, part]) => !isEmpty(part))
      .map(([key, part]) => `${words.labelOf(key)}: ${bracketed(part, formatValue(key, part, words))}`)
      .join(', ')
  )
}

/** Brackets show where a nested list ends. */
const bracketed = (value: unknown, text: string) =>
  typeof value === 'object' && value !== null && nameIn(value) === undefined ? `(${text})` : text

/** The name of an object that only has an id and a name. */
function nameIn(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
  const parts = Object.entries(item)
  if (!parts.every(([key]) => naming.some((name) => name === key))) return undefined
  for (const name of naming) {
    const part = parts.find(([key]) => key === name)?.[1]
    if (typeof part === 'string' || typeof part === 'number') return String(part)
  }
  return undefined
}
