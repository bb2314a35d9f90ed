import { expect, it } from 'vitest'
import { cellText, createQueryEngine, type GridDefinition, labelGrid } from '../../src/grid/index.ts'

const grid: GridDefinition<string> = {
  name: 'webs',
  columns: [
    {
      key: 'state',
      kind: 'status',
      value: (row) => row,
      options: [{ value: '0' }, { value: '1', tone: 'red' }],
    },
    { key: 'size', kind: 'bytes', value: () => 2.43 * 1024 ** 3 },
  ],
  sets: [{ key: 'more', isVisibleByDefault: false }],
}
const german = { columns: { state: 'Zustand' }, options: { state: { '1': 'gestört' } } }

it('labels columns, options and sets, and shows the key where a label is missing', () => {
  const { columns, sets } = labelGrid(grid, german, 'de')
  expect(columns[0]).toMatchObject({
    label: 'Zustand',
    options: [{ label: '0' }, { label: 'gestört', tone: 'red' }],
  })
  expect(sets).toEqual([{ key: 'more', label: 'more', isVisibleByDefault: false }])
})

it.each([
  ['en', '2.43 GiB'],
  ['de', '2,43 GiB'],
] as const)('formats decimals in %s', (language, size) => {
  const [, column] = labelGrid(grid, german, language).columns
  expect(column && cellText(column, column.value('0'))).toBe(size)
})

it('searches the labels that it shows', () => {
  const { columns } = labelGrid(grid, german, 'de')
  const search = { search: 'gestört', regex: false, filters: [], sort: [] }
  expect(createQueryEngine(['0', '1'], columns).query(search, columns)).toEqual(['1'])
  expect(createQueryEngine(['0', '1'], columns).query({ ...search, search: 'down' }, columns)).toEqual([])
})
