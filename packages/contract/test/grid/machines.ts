import fc from 'fast-check'
import {
  type ColumnFilter,
  type Condition,
  type GridQuery,
  type LabelledGrid,
  maxConditions,
  operatorsOf,
} from '../../src/grid/index.ts'

/** A row with a cell of each kind. */
export interface Machine {
  readonly name: string
  readonly cores: number | null
  readonly disk: number | null
  readonly bought: string | null
  readonly state: string | null
  readonly tags: readonly string[]
}

export const machineColumns: LabelledGrid<Machine> = {
  name: 'webs',
  columns: [
    { key: 'name', label: 'Name', kind: 'text', value: (row) => row.name },
    { key: 'cores', label: 'Cores', kind: 'number', set: 'hardware', value: (row) => row.cores },
    { key: 'disk', label: 'Disk', kind: 'bytes', set: 'hardware', value: (row) => row.disk },
    { key: 'bought', label: 'Bought', kind: 'date', value: (row) => row.bought },
    {
      key: 'state',
      label: 'State',
      kind: 'status',
      value: (row) => row.state,
      options: [
        { value: '1', label: 'running', tone: 'green' },
        { value: '2', label: 'asleep', tone: 'grey' },
      ],
    },
    { key: 'tags', label: 'Tags', kind: 'tags', set: 'tags', value: (row) => row.tags },
  ],
  sets: [
    { key: 'hardware', label: 'Hardware', isVisibleByDefault: true },
    { key: 'tags', label: 'Tags', isVisibleByDefault: false },
  ],
}

const [name, cores, disk, bought, state, tags] = machineColumns.columns
if (!name || !cores || !disk || !bought || !state || !tags) throw new Error('A column is missing')
export const column = { name, cores, disk, bought, state, tags }

export const machine = (fields: Partial<Machine>): Machine => ({
  name: 'm1',
  cores: null,
  disk: null,
  bought: null,
  state: null,
  tags: [],
  ...fields,
})

const word = fc.constantFrom('', 'a', 'ab', 'Äther', 'aether', 'm2', 'm10', 'zoë', 'x.y', 'ß', 'running')

export const machines: fc.Arbitrary<Machine[]> = fc.array(
  fc.record({
    name: word,
    cores: fc.option(fc.integer({ min: 0, max: 12 })),
    disk: fc.option(fc.integer({ min: 0, max: 2 ** 34 })),
    bought: fc.option(
      fc
        .date({
          min: new Date('2025-01-01T00:00:00Z'),
          max: new Date('2027-01-01T00:00:00Z'),
          noInvalidDate: true,
        })
        .map((date) => date.toISOString()),
    ),
    state: fc.option(fc.constantFrom('1', '2', '3')),
    tags: fc.uniqueArray(
      word.filter((tag) => tag !== ''),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 30 },
)

const anyText = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 6 }))
const anyValue = fc.oneof(anyText, fc.integer({ min: -3, max: 15 }).map(String), fc.constant('2026-03-29'))

const valueCounts = { none: 0, one: 1, two: 2, any: 4 } as const
function valuesFor(operator: Condition['operator']) {
  if (operator === 'empty' || operator === 'not-empty') return valueCounts.none
  if (operator === 'between') return valueCounts.two
  return operator === 'any-of' || operator === 'none-of' ? valueCounts.any : valueCounts.one
}

export const filters: fc.Arbitrary<ColumnFilter[]> = fc
  .uniqueArray(fc.constantFrom(...machineColumns.columns), { selector: ({ key }) => key })
  .chain((columns) =>
    fc.tuple(
      ...columns.map(({ key, kind }) =>
        fc.record({
          column: fc.constant(key),
          join: fc.constantFrom('all' as const, 'any' as const),
          conditions: fc.array(
            fc.constantFrom(...operatorsOf(kind)).chain((operator) => {
              const count = valuesFor(operator)
              const values = fc.array(anyValue, {
                minLength: count === valueCounts.any ? 1 : count,
                maxLength: count,
              })
              return fc.record({ operator: fc.constant(operator), values })
            }),
            { minLength: 1, maxLength: maxConditions },
          ),
        }),
      ),
    ),
  )

export const sort = fc
  .uniqueArray(fc.constantFrom(...machineColumns.columns.map(({ key }) => key)))
  .chain((keys) =>
    fc.tuple(...keys.map((key) => fc.record({ column: fc.constant(key), descending: fc.boolean() }))),
  )

export const queries: fc.Arbitrary<GridQuery> = fc.record({
  search: fc.oneof(word, fc.constantFrom('m[12]', '(', '^a', '1')),
  regex: fc.boolean(),
  filters,
  sort,
})
