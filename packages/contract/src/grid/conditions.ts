import type { Cell, Column, ColumnKind } from './columns.ts'
import { cellText, gib } from './format.ts'

const empties = ['empty', 'not-empty'] as const
export const textOperators = [
  'contains',
  'not-contains',
  'equals',
  'not-equals',
  'starts',
  'ends',
  'regex',
  ...empties,
] as const
export const numberOperators = ['=', '≠', '<', '≤', '>', '≥', 'between', ...empties] as const
export const optionOperators = ['any-of', 'none-of', ...empties] as const

export type Operator =
  | (typeof textOperators)[number]
  | (typeof numberOperators)[number]
  | (typeof optionOperators)[number]

/** The operators that a column of this kind offers, the most likely first. */
export function operatorsOf(kind: ColumnKind): readonly Operator[] {
  switch (kind) {
    case 'text':
      return textOperators
    case 'number':
    case 'bytes':
    case 'date':
      return numberOperators
    case 'select':
    case 'status':
    case 'tags':
      return optionOperators
  }
}

/**
 * One condition on a column.
 * `values` holds one text for most operators, two for `between`, any number for `any-of` and `none-of`, none for the
 * empties. Numbers are decimal, bytes are given in GiB, dates as yyyy-MM-dd or an ISO time.
 */
export interface Condition {
  readonly operator: Operator
  readonly values: readonly string[]
}

export const maxConditions = 5

/** Up to five conditions on one column, of which all or any must hold. */
export interface ColumnFilter {
  readonly column: string
  readonly join: 'all' | 'any'
  readonly conditions: readonly Condition[]
}

/** Case does not count; `u` where the pattern allows it, since umlauts then match as letters. */
export function compileRegex(source: string): RegExp | null {
  for (const flags of ['iu', 'i']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Tried without `u`, and after that reported as null: the field marks a bad expression.
    }
  }
  return null
}

type Test = (cell: Cell) => boolean

const isEmpty: Test = (cell) =>
  cell === null || cell === '' || (typeof cell === 'object' && cell.length === 0)

function textTest<Row>(column: Column<Row>, operator: string, wanted: string): Test | null {
  const needle = wanted.toLowerCase()
  const text = (cell: Cell) => cellText(column, cell).toLowerCase()
  switch (operator) {
    case 'contains':
      return (cell) => text(cell).includes(needle)
    case 'not-contains':
      return (cell) => !text(cell).includes(needle)
    case 'equals':
      return (cell) => text(cell) === needle
    case 'not-equals':
      return (cell) => text(cell) !== needle
    case 'starts':
      return (cell) => text(cell).startsWith(needle)
    case 'ends':
      return (cell) => text(cell).endsWith(needle)
    case 'regex': {
      const pattern = compileRegex(wanted)
      return pattern && ((cell) => pattern.test(cellText(column, cell)))
    }
    default:
      return null
  }
}

/** A bound as a half-open range, since a day or a rounded GiB figure stands for all values shown alike. */
function bound(kind: ColumnKind, value: string): readonly [number, number] | null {
  if (kind === 'date') {
    const from = Date.parse(value)
    if (Number.isNaN(from)) return null
    return /^\d{4}-\d{2}-\d{2}$/.test(value) ? romeDay(value) : [from, from + 1]
  }
  if (value.trim() === '') return null
  const number = Number(value.replace(',', '.'))
  if (!Number.isFinite(number)) return null
  return kind === 'bytes' ? [(number - 0.005) * gib, (number + 0.005) * gib] : [number, number]
}

const offset = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Rome', timeZoneName: 'longOffset' })

/** Where a Europe/Rome day begins, in milliseconds. Its clocks never change at midnight. */
function romeMidnight(utcMidnight: number): number {
  const name = offset.formatToParts(utcMidnight).find((part) => part.type === 'timeZoneName')?.value ?? ''
  return utcMidnight - Number(/GMT\+(\d+)/.exec(name)?.[1] ?? 0) * 3_600_000
}

function romeDay(day: string): readonly [number, number] {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return [romeMidnight(midnight), romeMidnight(midnight + 24 * 3_600_000)]
}

function numberTest(kind: ColumnKind, operator: string, values: readonly string[]): Test | null {
  const [first, second] = values.map((value) => bound(kind, value))
  if (!first || (operator === 'between' && !second)) return null
  const [from, to] = first
  const single = from === to
  const equal = (n: number) => (single ? n === from : n >= from && n < to)
  const tests: Partial<Record<string, (n: number) => boolean>> = {
    '=': equal,
    '≠': (n) => !equal(n),
    '<': (n) => n < from,
    '≤': (n) => n < from || equal(n),
    '>': (n) => n > from && !equal(n),
    '≥': (n) => n >= from,
    between: (n) => n >= from && (n < (second?.[1] ?? to) || n === second?.[1]),
  }
  const test = tests[operator]
  if (!test) return null
  return (cell) => {
    if (cell === null || typeof cell === 'object') return operator === '≠'
    return test(kind === 'date' ? Date.parse(String(cell)) : Number(cell))
  }
}

/**
 * What a condition asks of a cell.
 * @returns null where it asks nothing: an unfinished value, a bad regular expression, an operator of another kind
 */
export function compileCondition<Row>(column: Column<Row>, { operator, values }: Condition): Test | null {
  if (operator === 'empty') return isEmpty
  if (operator === 'not-empty') return (cell) => !isEmpty(cell)
  if (operator === 'any-of' || operator === 'none-of') {
    if (values.length === 0) return null
    const wanted = new Set(values)
    const hit: Test = (cell) =>
      typeof cell === 'object' && cell !== null
        ? cell.some((tag) => wanted.has(tag))
        : wanted.has(String(cell ?? ''))
    return operator === 'any-of' ? hit : (cell) => !hit(cell)
  }
  const [value = ''] = values
  if (textOperators.some((known) => known === operator))
    return value === '' ? null : textTest(column, operator, value)
  return numberTest(column.kind, operator, values)
}
