import { batchColumns } from '@kustos/contract/batches'
import { columnsOf, type GridDefinition, labelGrid } from '@kustos/contract/grid'
import { incidentColumns } from '@kustos/contract/incidents'
import { logColumns } from '@kustos/contract/logs'
import { monitoredWebColumns } from '@kustos/contract/monitoring'
import { deploymentColumns, queueColumns } from '@kustos/contract/queue'
import { expect, it } from 'vitest'
import * as german from '../../platform/messages/de/screens.ts'
import * as english from '../../platform/messages/en/screens.ts'
import { fitWidths } from './column-widths.ts'
import type { ShownColumn } from './types.ts'
import { widthsOf } from './use-layout.ts'

const column = (key: string, width: number, minWidth: number): ShownColumn<null> => ({
  key,
  label: key,
  kind: 'text',
  value: () => null,
  width,
  minWidth,
})
const plan = {
  columns: [column('id', 60, 60), column('fqdn', 300, 200), column('node', 100, 50)],
  isSelectable: true,
  hasMenu: true,
}

it('keeps the widths of columns that fit', () => {
  expect(fitWidths(plan, 1000)).toEqual([60, 300, 100])
})

it('narrows columns by what each has to spare, and no chosen width', () => {
  expect(fitWidths(plan, 544 - 75)).toEqual([60, 250, 75])
})

it('narrows no column below its minimum', () => {
  expect(fitWidths(plan, 100)).toEqual([60, 200, 50])
})

const catalogues = { en: english.gridLabels, de: german.gridLabels }
type Language = keyof typeof catalogues

const widthsIn = (grid: GridDefinition<never>, language: Language) =>
  columnsOf(labelGrid(grid, catalogues[language][grid.name], language), []).map((column) => ({
    ...column,
    ...widthsOf(column, undefined, column.key === grid.primaryColumns?.[0]),
  }))

const grids: readonly [grid: GridDefinition<never>, menuWidth: number][] = [
  [batchColumns as GridDefinition<never>, 0],
  [incidentColumns as GridDefinition<never>, 40],
  [logColumns as GridDefinition<never>, 44],
  [monitoredWebColumns as GridDefinition<never>, 0],
  [queueColumns as GridDefinition<never>, 44],
  [deploymentColumns as GridDefinition<never>, 44],
]

it.each(
  grids.flatMap(([grid, menuWidth]) =>
    (['en', 'de'] as const).map((language) => [grid.name, language, grid, menuWidth] as const),
  ),
)(
  'shows all columns of %s in %s and whole times in a window of 1440 pixels',
  (_, language, grid, menuWidth) => {
    const scrollerWidth = 1174
    const widths = widthsIn(grid, language)
    const sum = widths.reduce((total, column) => total + column.minWidth, 0)
    expect(sum).toBeLessThanOrEqual(scrollerWidth - menuWidth)
    for (const column of widths)
      if (column.kind === 'date') expect(column.minWidth).toBeGreaterThanOrEqual(155)
  },
)

it('leaves room for the names of deployments and most webs in a window of 1280 pixels', () => {
  const widths = fitWidths(
    {
      columns: widthsIn(deploymentColumns as GridDefinition<never>, 'en'),
      isSelectable: false,
      hasMenu: true,
    },
    1014,
  )
  const name = deploymentColumns.columns.findIndex(({ key }) => key === 'job_name')
  expect(widths[name]).toBeGreaterThanOrEqual(270)
})

it('keeps the room for a heading, unless the user has chosen a width', () => {
  const heading = { ...column('queue', 60, 56), label: 'Wiederherstellung' }
  expect(widthsOf(heading, undefined, false)).toEqual({ width: 163, minWidth: 163 })
  expect(widthsOf(heading, 80, false)).toEqual({ width: 80, minWidth: 80 })
})

it('keeps the room for a heading of several words on two lines', () => {
  const heading = { ...column('status', 60, 56), label: 'HTTP Status Code' }
  expect(widthsOf(heading, undefined, false)).toEqual({ width: 167, minWidth: 125 })
})
