import { describe, expect, it } from 'vitest'
import { cellText, localise, selectorOf } from '../../src/grid/index.ts'
import { webColumns } from '../../src/webs/index.ts'

describe('a grid in another language', () => {
  it('has a German label for each column, option and set of the web list', () => {
    const { columns = {}, options = {}, sets = {} } = webColumns.german ?? {}
    expect(Object.keys(columns)).toEqual(webColumns.columns.map(({ key }) => key))
    expect(Object.keys(sets)).toEqual(webColumns.sets.map(({ key }) => key))
    const offered = webColumns.columns.flatMap(({ key, options = [] }) =>
      options.map(({ value }) => `${key}.${value}`),
    )
    const translated = Object.entries(options).flatMap(([key, values]) =>
      Object.keys(values).map((value) => `${key}.${value}`),
    )
    expect(translated).toEqual(offered)
  })

  it('has German decimals', () => {
    const find = (language: string) =>
      localise(webColumns, language).columns.find(({ key }) => key === 'disk_usage')
    const shown = (language: string) => {
      const column = find(language)
      return column && cellText(column, 2.43 * 1024 ** 3)
    }
    expect([shown('en'), shown('de')]).toEqual(['2.43 GiB', '2,43 GiB'])
  })

  const grid = {
    columns: [
      {
        key: 'state',
        label: 'State',
        kind: 'status' as const,
        value: (row: string) => row,
        options: [
          { value: '0', label: 'up' },
          { value: '1', label: 'down', tone: 'red' as const },
        ],
      },
    ],
    sets: [{ key: 'more', label: 'More', shown: false }],
    german: { columns: { state: 'Zustand' }, options: { state: { '1': 'gestört' } }, sets: {} },
  }

  it('falls back to English label by label', () => {
    const german = localise(grid, 'de')
    expect(german.columns[0]).toMatchObject({
      label: 'Zustand',
      options: [{ label: 'up' }, { label: 'gestört', tone: 'red' }],
    })
    expect(german.sets).toEqual(grid.sets)
    expect(localise(grid, 'en')).toBe(grid)
    expect(localise(grid, 'fr')).toBe(grid)
  })

  it('is searched by the labels that it shows', () => {
    const { columns } = localise(grid, 'de')
    const search = { search: 'gestört', regex: false, filters: [], sort: [] }
    expect(selectorOf(['0', '1'], columns).select(search, columns)).toEqual(['1'])
    expect(selectorOf(['0', '1'], columns).select({ ...search, search: 'down' }, columns)).toEqual([])
  })
})
