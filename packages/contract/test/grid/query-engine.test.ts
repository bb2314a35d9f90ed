import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Column,
  cellText,
  columnsOf,
  compileCondition,
  compileRegex,
  createQueryEngine,
  emptyQuery,
  type GridQuery,
} from '../../src/grid/index.ts'
import { type Machine, machine, machineColumns, machines, queries } from './machines.ts'

const { columns } = machineColumns
const queryRows = (rows: readonly Machine[], query: Partial<GridQuery>, visible = columns) =>
  createQueryEngine(rows, columns).query({ ...emptyQuery, ...query }, visible)
const names = (rows: readonly Machine[]) => rows.map((row) => row.name)

/** A reference implementation that checks cell by cell, without anything precomputed. */
function matches(
  row: Machine,
  { search, regex, filters }: GridQuery,
  visible: readonly Column<Machine>[],
): boolean {
  const texts = visible.map((column) => cellText(column, column.value(row)))
  const needle = search.trim().toLowerCase()
  const pattern = regex ? compileRegex(search) : null
  const isFound = regex
    ? needle === '' || pattern === null || texts.some((text) => pattern.test(text))
    : texts.some((text) => text.toLowerCase().includes(needle))
  return (
    isFound &&
    filters.every(({ column: key, join, conditions }) => {
      const column = columns.find((known) => known.key === key)
      if (!column) return true
      const tests = conditions
        .map((condition) => compileCondition(column, condition))
        .filter((test) => test !== null)
      const holds = tests.map((test) => test(column.value(row)))
      return holds.length === 0 || (join === 'all' ? holds.every(Boolean) : holds.some(Boolean))
    })
  )
}

describe('querying rows', () => {
  it('keeps exactly the rows that match every filter and the search', () => {
    fc.assert(
      fc.property(machines, queries, fc.subarray([...columns], { minLength: 1 }), (rows, query, visible) => {
        const expected = rows.filter((row) => matches(row, query, visible))
        expect(queryRows(rows, { ...query, sort: [] }, visible)).toEqual(expected)
      }),
    )
  })

  it('sorts without losing or duplicating a row', () => {
    fc.assert(
      fc.property(machines, queries, (rows, query) => {
        const sorted = queryRows(rows, query)
        const unsorted = queryRows(rows, { ...query, sort: [] })
        expect(sorted.toSorted((a, b) => rows.indexOf(a) - rows.indexOf(b))).toEqual(unsorted)
      }),
    )
  })

  it('sorts numbers in both directions and stably, missing ones last', () => {
    fc.assert(
      fc.property(machines, fc.boolean(), (rows, descending) => {
        const sign = descending ? -1 : 1
        const expected = [
          ...rows
            .filter((row) => row.cores !== null)
            .toSorted((a, b) => sign * ((a.cores ?? 0) - (b.cores ?? 0))),
          ...rows.filter((row) => row.cores === null),
        ]
        expect(queryRows(rows, { sort: [{ column: 'cores', descending }] })).toEqual(expected)
      }),
    )
  })

  it('sorts by the second column if the first is equal', () => {
    fc.assert(
      fc.property(machines, (rows) => {
        const both = [
          { column: 'state', descending: false },
          { column: 'cores', descending: true },
        ]
        const twice = queryRows(queryRows(rows, { sort: both.slice(1) }), { sort: both.slice(0, 1) })
        expect(queryRows(rows, { sort: both })).toEqual(twice)
      }),
    )
  })

  it('does not depend on earlier queries', () => {
    fc.assert(
      fc.property(machines, queries, queries, (rows, first, second) => {
        const engine = createQueryEngine(rows, columns)
        for (const _ of engine.warmUp(columns.slice(0, 2)));
        engine.query(first, columns)
        expect(engine.query(second, columns)).toEqual(queryRows(rows, second))
      }),
    )
  })

  it.each<[string, string[], string[]]>([
    ['umlauts beside their letters', ['Zoo', 'Öl', 'oben', 'Otto'], ['oben', 'Öl', 'Otto', 'Zoo']],
    ['ß as ss', ['Grozny', 'Groß', 'Grosse'], ['Groß', 'Grosse', 'Grozny']],
    ['numbers by their size', ['v10.4', 'v9.5', 'v9.10', 'v09'], ['v09', 'v9.5', 'v9.10', 'v10.4']],
    [
      'addresses by their parts',
      ['192.0.2.100', '192.0.2.20', '10.0.0.3'],
      ['10.0.0.3', '192.0.2.20', '192.0.2.100'],
    ],
    ['regardless of case', ['b', 'A', 'a', 'B'], ['A', 'a', 'b', 'B']],
  ])('sorts %s', (_, unsorted, expected) => {
    const rows = unsorted.map((name) => machine({ name }))
    expect(names(queryRows(rows, { sort: [{ column: 'name', descending: false }] }))).toEqual(expected)
  })

  it('finds umlauts however they are composed', () => {
    const composed = 'Müller'
    const split = composed.normalize('NFD')
    const rows = [composed, split, 'Muller'].map((name) => machine({ name }))
    const both = [composed, split]
    for (const text of both) {
      expect(names(queryRows(rows, { search: text.toUpperCase() }))).toEqual(both)
      expect(names(queryRows(rows, { search: `^${text}$`, regex: true }))).toEqual(both)
      for (const operator of ['equals', 'regex'] as const) {
        const conditions = [{ operator, values: [text] }]
        expect(names(queryRows(rows, { filters: [{ column: 'name', join: 'all', conditions }] }))).toEqual(
          both,
        )
      }
    }
  })

  it('sorts options by their labels', () => {
    const rows = ['1', '2', null].map((state) => machine({ state }))
    const states = queryRows(rows, { sort: [{ column: 'state', descending: false }] }).map((row) => row.state)
    expect(states).toEqual(['2', '1', null])
  })

  it('searches what is shown: labels, rounded figures, local times', () => {
    const rows = [machine({ name: 'a', state: '1', disk: 1024 ** 3 * 1.5, bought: '2026-07-01T22:30:00Z' })]
    for (const search of ['RUNNING', '1.50 gib', '2026/07/02 00:30']) {
      expect(names(queryRows(rows, { search }))).toEqual(['a'])
    }
  })

  it('searches visible columns only', () => {
    const rows = [machine({ name: 'a', tags: ['secret'] })]
    expect(queryRows(rows, { search: 'secret' }, columnsOf(machineColumns, ['hardware']))).toEqual([])
    expect(queryRows(rows, { search: 'secret' }, columnsOf(machineColumns, ['tags']))).toEqual(rows)
  })

  it('does not match across two cells', () => {
    const rows = [machine({ name: 'a', cores: 1 }), machine({ name: 'b', cores: 2 })]
    expect(queryRows(rows, { search: 'a1' })).toEqual([])
    expect(queryRows(rows, { search: '\u0000' })).toEqual([])
  })

  it('ignores an invalid regular expression and unknown columns', () => {
    const rows = [machine({ name: 'a' }), machine({ name: 'b' })]
    const filters = [
      { column: 'gone', join: 'all', conditions: [{ operator: 'empty', values: [] }] },
    ] as const
    const sort = [{ column: 'gone', descending: true }]
    expect(queryRows(rows, { search: '(', regex: true, filters, sort })).toEqual(rows)
  })

  it('returns the values that occur', () => {
    const rows = [
      machine({ tags: ['b', 'a'], state: '2' }),
      machine({ tags: ['b'], state: null }),
      machine({}),
    ]
    const engine = createQueryEngine(rows, columns)
    expect(engine.values('tags')).toEqual(['b', 'a'])
    expect(engine.values('state')).toEqual(['2'])
    expect(engine.values('gone')).toEqual([])
  })

  it('lists the keys of tags with values, too', () => {
    const keyed = columns.map((column) =>
      column.key === 'tags' ? { ...column, isKeyed: true as const } : column,
    )
    const rows = [machine({ tags: ['contract:gold', 'legal'] }), machine({ tags: ['contract:silver'] })]
    expect(createQueryEngine(rows, keyed).values('tags')).toEqual([
      'contract',
      'contract:gold',
      'legal',
      'contract:silver',
    ])
  })
})
