import type { Cell, Column, ColumnKind } from './columns.ts'
import { cellText, gib, romeOffsetMs } from './format.ts'

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

const operators: Readonly<Record<ColumnKind, readonly Operator[]>> = {
  text: textOperators,
  number: numberOperators,
  bytes: numberOperators,
  date: numberOperators,
  select: optionOperators,
  status: optionOperators,
  tags: optionOperators,
}

/** The operators that a column of this kind offers, the most likely first. */
export const operatorsOf = (kind: ColumnKind): readonly Operator[] => operators[kind]

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

/** Whether a condition lacks its value; then it has no effect and is not part of the address. */
export const isUnfinished = ({ operator, values }: Condition): boolean =>
  !empties.some((known) => known === operator) && values.every((value) => value === '')

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

/** A test of the cell itself, of its text, or of its text in lower case; the texts of many cells are derived once. */
export type Test =
  | { readonly of: 'cell'; readonly holds: (cell: Cell) => boolean }
  | { readonly of: 'text' | 'lowered'; readonly holds: (text: string) => boolean }

type CellTest = (cell: Cell) => boolean

const isEmpty: CellTest = (cell) =>
  cell === null || cell === '' || (typeof cell === 'object' && cell.length === 0)

/** Tests of a text in lower case. */
const textTests: Partial<Record<Operator, (needle: string) => (text: string) => boolean>> = {
  contains: (needle) => (text) => text.includes(needle),
  'not-contains': (needle) => (text) => !text.includes(needle),
  equals: (needle) => (text) => text === needle,
  'not-equals': (needle) => (text) => text !== needle,
  starts: (needle) => (text) => text.startsWith(needle),
  ends: (needle) => (text) => text.endsWith(needle),
}

function textTest(operator: Operator, wanted: string): Test | null {
  if (operator === 'regex') {
    const pattern = compileRegex(wanted)
    return pattern && { of: 'text', holds: (text) => pattern.test(text) }
  }
  const holds = textTests[operator]?.(wanted.toLowerCase())
  return holds ? { of: 'lowered', holds } : null
}

/** A bound as a half-open range: a day or a rounded GiB figure covers all values that are shown alike. */
function bound(kind: ColumnKind, value: string): readonly [number, number] | null {
  if (kind === 'date') {
    const from = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN
    if (Number.isNaN(from)) return null
    return /^\d{4}-\d{2}-\d{2}$/.test(value) ? romeDay(value) : [from, from + 1]
  }
  if (value.trim() === '') return null
  const number = Number(value.replace(',', '.'))
  if (!Number.isFinite(number)) return null
  return kind === 'bytes' ? [(number - 0.005) * gib, (number + 0.005) * gib] : [number, number]
}

/** Where a Europe/Rome day begins. Its clocks never change at midnight. */
const romeMidnightMs = (utcMidnight: number) => utcMidnight - romeOffsetMs(utcMidnight)

function romeDay(day: string): readonly [number, number] {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return [romeMidnightMs(midnight), romeMidnightMs(midnight + 24 * 3_600_000)]
}

function numberTest(kind: ColumnKind, operator: Operator, values: readonly string[]): CellTest | null {
  const [first, second] = values.map((value) => bound(kind, value))
  if (!first || (operator === 'between' && !second)) return null
  const [from, to] = first
  const single = from === to
  // Either bound may be the lower one; a single number is its own end, a day or a rounded figure ends before its own.
  const low = Math.min(from, second?.[0] ?? from)
  const high = Math.max(to, second?.[1] ?? to)
  const equal = (n: number) => (single ? n === from : n >= from && n < to)
  const tests: Partial<Record<Operator, (n: number) => boolean>> = {
    '=': equal,
    '≠': (n) => !equal(n),
    '<': (n) => n < from,
    '≤': (n) => n < from || equal(n),
    '>': (n) => n > from && !equal(n),
    '≥': (n) => n >= from,
    between: (n) => n >= low && (single ? n <= high : n < high),
  }
  const test = tests[operator]
  if (!test) return null
  return (cell) => {
    if (cell === null || typeof cell === 'object') return operator === '≠'
    return test(kind === 'date' ? Date.parse(String(cell)) : Number(cell))
  }
}

function optionTest(operator: 'any-of' | 'none-of', values: readonly string[]): CellTest | null {
  if (values.length === 0) return null
  const wanted = new Set(values)
  const isOne: CellTest = (cell) =>
    typeof cell === 'object' && cell !== null
      ? cell.some((tag) => wanted.has(tag))
      : wanted.has(String(cell ?? ''))
  return operator === 'any-of' ? isOne : (cell) => !isOne(cell)
}

/** @returns null for an unfinished value, an invalid regular expression, or an operator of another kind */
export function testOf(kind: ColumnKind, { operator, values }: Condition): Test | null {
  if (!operatorsOf(kind).includes(operator)) return null
  const [value = ''] = values
  switch (operator) {
    case 'empty':
      return { of: 'cell', holds: isEmpty }
    case 'not-empty':
      return { of: 'cell', holds: (cell) => !isEmpty(cell) }
    case 'any-of':
    case 'none-of': {
      const holds = optionTest(operator, values)
      return holds && { of: 'cell', holds }
    }
    default: {
      if (kind === 'text') return value === '' ? null : textTest(operator, value)
      const holds = numberTest(kind, operator, values)
      return holds && { of: 'cell', holds }
    }
  }
}

/** Like `testOf`, for single cells. */
export function compileCondition<Row>(
  column: Column<Row>,
  condition: Condition,
): ((cell: Cell) => boolean) | null {
  const test = testOf(column.kind, condition)
  if (!test) return null
  if (test.of === 'cell') return test.holds
  return test.of === 'text'
    ? (cell) => test.holds(cellText(column, cell))
    : (cell) => test.holds(cellText(column, cell).toLowerCase())
}
