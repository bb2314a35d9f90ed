import type { Cell, Column, ColumnKind } from './columns.ts'
import { cellText, gib, romeOffsetMs, toComparable } from './format.ts'

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

export interface Condition {
  readonly operator: Operator
  /**
   * As many as `valueCountOf` says. Bytes are in GiB, dates yyyy-MM-dd or an ISO time.
   */
  readonly values: readonly string[]
}

export const maxConditions = 5

const isEmptiness = (operator: Operator) => empties.some((known) => known === operator)

/** How many values the operator takes; null for any number. */
export function valueCountOf(operator: Operator): 0 | 1 | 2 | null {
  if (operator === 'any-of' || operator === 'none-of') return null
  if (isEmptiness(operator)) return 0
  return operator === 'between' ? 2 : 1
}

/** Whether the value is missing. Such a condition has no effect and is not part of the URL. */
export const isUnfinished = ({ operator, values }: Condition): boolean =>
  !isEmptiness(operator) && values.every((value) => value === '')

export interface ColumnFilter {
  readonly column: string
  readonly join: 'all' | 'any'
  readonly conditions: readonly Condition[]
}

/** Ignores case; with `u` if the pattern allows it, because umlauts are letters then. Null if the pattern is invalid. */
export function compileRegex(source: string): RegExp | null {
  for (const flags of ['iu', 'i']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Tried without `u`, then reported as null.
    }
  }
  return null
}

/** Tells which form of a cell a test needs, so that texts are derived once for many tests. */
export type Test =
  | { readonly of: 'cell'; readonly matches: (cell: Cell) => boolean }
  | { readonly of: 'text' | 'lowered'; readonly matches: (text: string) => boolean }

/** Finds umlauts however they are composed, as `toComparable`. Null if the pattern is invalid. */
export function regexTest(source: string): Test | null {
  const pattern = compileRegex(source.normalize('NFC'))
  return pattern && { of: 'text', matches: (text) => pattern.test(text.normalize('NFC')) }
}

type CellTest = (cell: Cell) => boolean
type TestedColumn = Pick<Column<never>, 'kind' | 'isKeyed'>

const isEmpty: CellTest = (cell) =>
  cell === null || cell === '' || (typeof cell === 'object' && cell.length === 0)

/** They compare what `toComparable` returns. */
const textTests: Partial<Record<Operator, (needle: string) => (text: string) => boolean>> = {
  contains: (needle) => (text) => text.includes(needle),
  'not-contains': (needle) => (text) => !text.includes(needle),
  equals: (needle) => (text) => text === needle,
  'not-equals': (needle) => (text) => text !== needle,
  starts: (needle) => (text) => text.startsWith(needle),
  ends: (needle) => (text) => text.endsWith(needle),
}

function textTest(operator: Operator, wanted = ''): Test | null {
  if (wanted === '') return null
  if (operator === 'regex') return regexTest(wanted)
  const matches = textTests[operator]?.(toComparable(wanted))
  return matches ? { of: 'lowered', matches } : null
}

/** The half-open range of the values that are shown like a bound, which may be a day or a rounded GiB figure. */
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

/** The start of a day in Europe/Rome, whose clocks never change at midnight. */
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
  // Either bound may be the lower one. Single numbers include their end, days and rounded figures do not.
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

/** The key of a tag such as `contract:gold`. */
export const keyOfTag = (tag: string): string => tag.split(':', 1)[0] ?? tag

function optionTest(
  operator: 'any-of' | 'none-of',
  values: readonly string[],
  isKeyed: boolean,
): CellTest | null {
  if (values.length === 0) return null
  const wanted = new Set(values)
  const isOne: CellTest = (cell) =>
    typeof cell === 'object' && cell !== null
      ? cell.some((tag) => wanted.has(tag) || (isKeyed && wanted.has(keyOfTag(tag))))
      : wanted.has(String(cell ?? ''))
  return operator === 'any-of' ? isOne : (cell) => !isOne(cell)
}

function cellTest({ kind, isKeyed }: TestedColumn, { operator, values }: Condition): CellTest | null {
  switch (operator) {
    case 'empty':
      return isEmpty
    case 'not-empty':
      return (cell) => !isEmpty(cell)
    case 'any-of':
    case 'none-of':
      return optionTest(operator, values, isKeyed === true)
    default:
      return numberTest(kind, operator, values)
  }
}

/** @returns null for an unfinished condition, an invalid regular expression, or an operator of another kind */
export function createTest(column: TestedColumn, condition: Condition): Test | null {
  const { kind } = column
  const { operator, values } = condition
  if (!operatorsOf(kind).includes(operator)) return null
  if (kind === 'text' && !isEmptiness(operator)) return textTest(operator, values[0])
  const matches = cellTest(column, condition)
  return matches && { of: 'cell', matches }
}

/** Whether the condition has an effect, and so has each of its values: more of them come of a comma that was not encoded. */
export function isConclusive(column: TestedColumn, condition: Condition): boolean {
  const { operator, values } = condition
  const count = valueCountOf(operator)
  return (
    !isUnfinished(condition) &&
    (count === null || values.length === count) &&
    createTest(column, condition) !== null
  )
}

/** Like `createTest`, for single cells. */
export function compileCondition<Row>(
  column: Column<Row>,
  condition: Condition,
): ((cell: Cell) => boolean) | null {
  const test = createTest(column, condition)
  if (!test) return null
  if (test.of === 'cell') return test.matches
  return test.of === 'text'
    ? (cell) => test.matches(cellText(column, cell))
    : (cell) => test.matches(toComparable(cellText(column, cell)))
}
