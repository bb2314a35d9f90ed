import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findIgnoredParameter,
  type GridState,
  gridStateFromQuery,
  gridStateToQuery,
  initialGridState,
  isUnfinished,
  maxConditions,
  pageSizes,
} from '../../src/grid/index.ts'
import { filters, machineColumns, sort } from './machines.ts'

const read = (pair: string) => {
  const [key = '', ...rest] = pair.split('=')
  return gridStateFromQuery([[key, rest.join('=')]], machineColumns)
}
const write = (state: GridState) =>
  gridStateToQuery(state)
    .map(([key, value]) => `${key}=${value}`)
    .join('&')

const states: fc.Arbitrary<GridState> = fc.record({
  search: fc.string({ unit: 'grapheme' }),
  regex: fc.boolean(),
  filters,
  sort,
  page: fc.integer({ min: 1, max: 1000 }),
  size: fc.constantFrom(...pageSizes),
  sets: fc.option(fc.subarray(machineColumns.sets.map(({ key }) => key))),
})

const order = machineColumns.columns.map(({ key }) => key)

/** The state that a URL restores: finished conditions of well-formed text, in column order. */
const normalizeState = (state: GridState): GridState => ({
  ...state,
  filters: state.filters
    .map((filter) => ({
      ...filter,
      conditions: filter.conditions
        .filter((condition) => !isUnfinished(condition))
        .map((condition) => ({
          ...condition,
          values: condition.values.map((value) => value.toWellFormed()),
        })),
    }))
    .filter((filter) => filter.conditions.length > 0)
    .toSorted((a, b) => order.indexOf(a.column) - order.indexOf(b.column)),
})

describe("a grid's URL", () => {
  it('restores every state', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(gridStateFromQuery(gridStateToQuery(state), machineColumns)).toEqual(normalizeState(state))
      }),
    )
  })

  it('leaves out defaults', () => {
    expect(write(initialGridState)).toBe('')
  })

  it('is human-readable', () => {
    const state: GridState = {
      ...initialGridState,
      search: 'hof',
      filters: [{ column: 'state', join: 'all', conditions: [{ operator: 'any-of', values: ['1', '2'] }] }],
      sort: [
        { column: 'name', descending: false },
        { column: 'cores', descending: true },
      ],
      page: 2,
      sets: ['tags'],
    }
    expect(write(state)).toBe('q=hof&f.state=any-of:1,2&sort=name,-cores&page=2&sets=tags')
  })

  it.each([
    ['page=0'],
    ['page=-1'],
    ['page=1.5'],
    ['page=x'],
    ['page=1e999'],
    ['size=51'],
    ['sort=unknown'],
    ['f.name=unknown:x'],
    ['f.name=contains'],
    ['f.cores=contains:1'],
    ['f.unknown=contains:x'],
    ['f.name=contains:%E0%A4%A'],
    ['j.name=any'],
    ['other=1'],
  ])('ignores an invalid query: %s', (query) => {
    expect(read(query)).toEqual(initialGridState)
  })

  it('never fails', () => {
    const keys = fc.oneof(
      fc.string(),
      fc.constantFrom('q', 'regex', 'sort', 'page', 'size', 'sets', 'f.name', 'j.name'),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.string())), (query) => {
        const state = gridStateFromQuery(query, machineColumns)
        expect(state.page).toBeGreaterThan(0)
        expect(pageSizes).toContain(state.size)
        for (const { conditions } of state.filters)
          expect(conditions.length).toBeLessThanOrEqual(maxConditions)
      }),
    )
  })

  it('sorts by a column once, even if it is named twice', () => {
    expect(read('sort=name,-name,cores').sort).toEqual([
      { column: 'name', descending: false },
      { column: 'cores', descending: false },
    ])
  })
})

describe('a query for changes of all rows that match', () => {
  const find = (query: string) => {
    const pairs = query.split('&').map((pair) => pair.split(/=(.*)/s, 2).map(decodeURIComponent))
    return findIgnoredParameter(
      pairs.map(([key = '', value = '']) => [key, value] as const),
      machineColumns,
    )
  }

  it.each([
    'q=hof',
    'q=%5Em%5B12%5D&regex=1',
    'f.name=contains:a%252Cb&f.name=starts:a&j.name=any',
    'f.cores=between:1,4',
    'f.bought=empty:',
    'f.state=none-of:1,2&f.tags=any-of:a',
    'q=a&sort=unknown,-name&page=3&size=51&sets=none&lang=de',
  ])('has its effect: %s', (query) => {
    expect(find(query)).toBeUndefined()
  })

  it.each([
    ['view=12', 'view'],
    ['q=a&other=1', 'other'],
    ['q=a&q=b', 'q'],
    ['q=(&regex=1', 'q'],
    ['q=a&regex=true', 'regex'],
    ['f.unknown=contains:x', 'f.unknown'],
    ['f.name=unknown:x', 'f.name'],
    ['f.name=contains', 'f.name'],
    ['f.name=contains:', 'f.name'],
    ['f.name=contains:a,b', 'f.name'],
    ['f.name=contains:%25E0%25A4%25A', 'f.name'],
    ['f.name=regex:(', 'f.name'],
    ['f.cores=contains:1', 'f.cores'],
    ['f.cores=%3C:many', 'f.cores'],
    ['f.cores=between:1', 'f.cores'],
    ['f.bought=%3C:yesterday', 'f.bought'],
    ['f.state=any-of:', 'f.state'],
    [Array.from({ length: maxConditions + 1 }, () => 'f.name=contains:a').join('&'), 'f.name'],
    ['j.name=any', 'j.name'],
    ['f.name=contains:a&j.name=some', 'j.name'],
  ])('names what is ignored: %s', (query, ignored) => {
    expect(find(query)).toBe(ignored)
  })
})
