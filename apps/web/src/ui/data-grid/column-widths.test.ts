import { expect, it } from 'vitest'
import { fitWidths } from './column-widths.ts'
import type { ShownColumn } from './types.ts'

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
