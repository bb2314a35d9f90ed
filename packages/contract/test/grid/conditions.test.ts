import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Cell,
  type Column,
  type Condition,
  compileCondition,
  type Operator,
  operatorsOf,
} from '../../src/grid/index.ts'
import { column, type Machine, machineColumns } from './machines.ts'

const gib = 1024 ** 3
const keyed = { ...column.tags, isKeyed: true } as const

function holds(
  of: Column<Machine>,
  operator: Operator,
  values: readonly string[],
  cell: Cell,
): boolean | null {
  const test = compileCondition(of, { operator, values })
  return test === null ? null : test(cell)
}

describe('a condition', () => {
  it.each<[Column<Machine>, Operator, string[], Cell, boolean]>([
    [column.name, 'contains', ['HOF'], 'Alpenhof', true],
    [column.name, 'not-contains', ['hof'], 'Alpenhof', false],
    [column.name, 'equals', ['ÄTHER'], 'äther', true],
    [column.name, 'equals', ['hof'], 'Alpenhof', false],
    [column.name, 'not-equals', ['hof'], 'Alpenhof', true],
    [column.name, 'starts', ['alp'], 'Alpenhof', true],
    [column.name, 'ends', ['alp'], 'Alpenhof', false],
    [column.name, 'regex', ['^a.*f$'], 'Alpenhof', true],
    [column.name, 'regex', ['^ä'], 'Äther', true],
    [column.name, 'empty', [], '', true],
    [column.name, 'empty', [], null, true],
    [column.name, 'not-empty', [], 'x', true],
    [column.cores, '=', ['4'], 4, true],
    [column.cores, '=', ['4,5'], 4.5, true],
    [column.cores, '≠', ['4'], null, true],
    [column.cores, '<', ['4'], null, false],
    [column.cores, '≤', ['4'], 4, true],
    [column.cores, '>', ['4'], 4, false],
    [column.cores, '≥', ['4'], 4, true],
    [column.cores, 'between', ['2', '4'], 4, true],
    [column.cores, 'between', ['4', '2'], 3, true],
    [column.cores, 'between', ['2', '4'], 5, false],
    // A size with two decimals matches every byte count that is shown as this size.
    [column.disk, '=', ['1.5'], 1.5 * gib + 1000, true],
    [column.disk, '=', ['1.5'], 1.51 * gib, false],
    [column.disk, '>', ['1.5'], 1.5 * gib + 1000, false],
    [column.disk, 'between', ['1', '2'], 2 * gib, true],
    // Days are those of Europe/Rome: 29 March 2026 has 23 hours, 25 October has 25.
    [column.bought, '=', ['2026-03-29'], '2026-03-28T23:00:00Z', true],
    [column.bought, '=', ['2026-03-29'], '2026-03-28T22:59:59Z', false],
    [column.bought, '=', ['2026-03-29'], '2026-03-29T21:59:59Z', true],
    [column.bought, '=', ['2026-03-29'], '2026-03-29T22:00:00Z', false],
    [column.bought, '=', ['2026-10-25'], '2026-10-25T22:59:59Z', true],
    [column.bought, '=', ['2026-10-25'], '2026-10-25T23:00:00Z', false],
    [column.bought, '<', ['2026-10-25'], '2026-10-24T21:59:59Z', true],
    [column.bought, 'between', ['2026-10-24', '2026-10-25'], '2026-10-25T23:00:00Z', false],
    [column.bought, 'between', ['2026-10-24', '2026-10-25'], '2026-10-25T22:59:59Z', true],
    [column.state, 'any-of', ['1', '2'], '2', true],
    [column.state, 'none-of', ['1', '2'], '3', true],
    [column.state, 'none-of', ['1', '2'], null, true],
    [column.tags, 'any-of', ['a', 'b'], ['b', 'c'], true],
    [column.tags, 'any-of', ['a'], [], false],
    [column.tags, 'none-of', ['a'], ['a', 'b'], false],
    [column.tags, 'any-of', ['a'], ['a:x'], false],
    [keyed, 'any-of', ['a'], ['b', 'a:x'], true],
    [keyed, 'any-of', ['a:x'], ['a:x'], true],
    [keyed, 'any-of', ['a:x'], ['a', 'a:y'], false],
    [keyed, 'any-of', ['a'], ['ab'], false],
    [keyed, 'none-of', ['a'], ['a:x'], false],
    [column.tags, 'empty', [], [], true],
  ])('on $key: %s %j of %j is %s', (of, operator, values, cell, expected) => {
    expect(holds(of, operator, values, cell)).toBe(expected)
  })

  it.each<[string, Column<Machine>, Condition]>([
    ['no text', column.name, { operator: 'contains', values: [''] }],
    ['a bad regular expression', column.name, { operator: 'regex', values: ['('] }],
    ['no number', column.cores, { operator: '=', values: ['many'] }],
    ['half a range', column.cores, { operator: 'between', values: ['1', ''] }],
    ['no date', column.bought, { operator: '<', values: ['soon'] }],
    ['a number for a date', column.bought, { operator: '<', values: ['5'] }],
    ['an impossible date', column.bought, { operator: '=', values: ['2026-13-45'] }],
    ['no option', column.state, { operator: 'any-of', values: [] }],
    ['an operator of another kind', column.cores, { operator: 'contains', values: ['1'] }],
  ])('with %s is ignored', (_, of, condition) => {
    expect(compileCondition(of, condition)).toBeNull()
  })

  const cells = fc.oneof(fc.constant(null), fc.string(), fc.integer(), fc.array(fc.string()))
  const opposites: [Operator, Operator][] = [
    ['contains', 'not-contains'],
    ['equals', 'not-equals'],
    ['empty', 'not-empty'],
    ['any-of', 'none-of'],
    ['=', '≠'],
  ]

  it.each(opposites)('%s and %s partition all cells', (one, other) => {
    const columns = machineColumns.columns.filter(({ kind }) => operatorsOf(kind).includes(one))
    fc.assert(
      fc.property(
        fc.constantFrom(...columns),
        fc.oneof(fc.string(), fc.nat().map(String)),
        cells,
        (of, value, cell) => {
          const first = holds(of, one, [value], cell)
          const second = holds(of, other, [value], cell)
          expect(second).toBe(first === null ? null : !first)
        },
      ),
    )
  })

  it('orders numbers and dates without gap or overlap', () => {
    const numbers = fc.constantFrom(column.cores, column.disk)
    fc.assert(
      fc.property(
        numbers,
        fc.integer({ min: -5, max: 5 }),
        fc.integer({ min: -6 * gib, max: 6 * gib }),
        (of, n, cell) => {
          const is = (operator: Operator) =>
            holds(of, operator, [String(n)], of === column.disk ? cell : cell % 7)
          expect([is('<'), is('='), is('>')].filter((found) => found === true)).toHaveLength(1)
          expect(is('≤')).toBe(is('<') || is('='))
          expect(is('≥')).toBe(is('>') || is('='))
        },
      ),
    )
  })

  it('includes both bounds of between in either order', () => {
    const day = fc
      .date({ min: new Date('2026-03-01'), max: new Date('2026-04-20'), noInvalidDate: true })
      .map((date) => date.toISOString())
    fc.assert(
      fc.property(day, day, day, (a, b, cell) => {
        const [low = '', high = ''] = [a.slice(0, 10), b.slice(0, 10)].sort()
        const expected = holds(column.bought, '≥', [low], cell) && holds(column.bought, '≤', [high], cell)
        expect(holds(column.bought, 'between', [low, high], cell)).toBe(expected)
        expect(holds(column.bought, 'between', [high, low], cell)).toBe(expected)
      }),
    )
  })
})
