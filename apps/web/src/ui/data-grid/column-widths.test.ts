import { batchColumns } from '@kustos/contract/batches'
import { type ColumnDefinition, columnsOf, type GridDefinition } from '@kustos/contract/grid'
import { incidentColumns } from '@kustos/contract/incidents'
import { logColumns } from '@kustos/contract/logs'
import { monitoredWebColumns } from '@kustos/contract/monitoring'
import { queueColumns } from '@kustos/contract/queue'
import { expect, it } from 'vitest'
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

const minWidth = ({ primaryColumns }: GridDefinition<never>, column: ColumnDefinition<never>) =>
  widthsOf({ ...column, label: '', options: [] }, undefined, column.key === primaryColumns?.[0]).minWidth

it.each<[GridDefinition<never>['name'], GridDefinition<never>, sideWidth: number]>([
  ['batches', batchColumns as GridDefinition<never>, 0],
  ['incidents', incidentColumns as GridDefinition<never>, 40],
  ['logs', logColumns as GridDefinition<never>, 44],
  ['uptime', monitoredWebColumns as GridDefinition<never>, 0],
  ['queue', queueColumns as GridDefinition<never>, 44],
])('shows all columns of %s and whole times in a window of 1440 pixels', (_, grid, sideWidth) => {
  const scrollerWidth = 1174
  const widths = columnsOf(grid, []).map((column) => ({ ...column, minWidth: minWidth(grid, column) }))
  const sum = widths.reduce((total, column) => total + column.minWidth, 0)
  expect(sum).toBeLessThanOrEqual(scrollerWidth - sideWidth)
  for (const column of widths) if (column.kind === 'date') expect(column.minWidth).toBeGreaterThanOrEqual(155)
})
