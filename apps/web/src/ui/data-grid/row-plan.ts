import type { CSSProperties, ReactNode } from 'react'
import { columnClasses } from './column-classes.ts'
import classes from './data-grid.module.css'
import type { ShownColumn } from './types.ts'

/** What all rows have in common; the same object as long as nothing of it changes. */
export interface GridPlan<Row> {
  readonly columns: readonly ShownColumn<Row>[]
  readonly renderCell: Readonly<Record<string, (row: Row) => ReactNode>> | undefined
  readonly nameOf: (row: Row) => string
  readonly isMuted: ((row: Row) => boolean) | undefined
  readonly hasMenu: boolean
  readonly hasChoice: boolean
  readonly menuLabel: string
  readonly choiceLabel: string
  /** In pixels, of a row of one line. */
  readonly rowHeight: number
  readonly linesOf: ((row: Row) => number) | undefined
}

/** A column's cells, the same in each row. */
export interface PlannedCell<Row> {
  readonly column: ShownColumn<Row>
  /** Its column among all of the grid, the one of choice included, from 0. */
  readonly place: number
  readonly className: string
  readonly style: CSSProperties
}

/** The plan of those columns that are rendered now. */
export interface RowPlan<Row> extends GridPlan<Row> {
  readonly cells: readonly PlannedCell<Row>[]
  /** The row's columns as CSS has them. */
  readonly tracks: string
}

/** Of a line beyond a row's first, in pixels. */
const lineHeight = 20

/** A row's height in pixels. */
export const heightOf = <Row>({ rowHeight, linesOf }: GridPlan<Row>, row: Row | undefined): number =>
  linesOf === undefined || row === undefined ? rowHeight : rowHeight + (linesOf(row) - 1) * lineHeight

export const choiceWidth = 40
const menuWidth = 44
/** What the first column leaves on the narrowest of phones: the page's edges, and a chip with a word before it. */
const besideFirst = 210

/** How many columns stand before the first of the data. */
export const leadOf = ({ hasChoice }: { readonly hasChoice: boolean }) => (hasChoice ? 1 : 0)

/**
 * A row's columns as CSS has them. On narrow screens the first, which stays, leaves room for the others; what is left
 * over on wide ones stands before the menu. Measured by the window, since a container that is measured is laid out twice.
 * @param dragged a column that is being dragged to another width
 */
export function tracksOf<Row>(
  { columns, hasChoice, hasMenu }: GridPlan<Row>,
  dragged?: { readonly key: string; readonly width: number },
): string {
  const widths = columns.map(({ key, width }) => `${key === dragged?.key ? dragged.width : width}px`)
  const [first, ...others] = widths
  return [
    ...(hasChoice ? [`${choiceWidth}px`] : []),
    ...(first === undefined ? [] : [`min(${first}, clamp(110px, 100vw - ${besideFirst}px, 45vw))`]),
    ...others,
    'minmax(0, 1fr)',
    ...(hasMenu ? [`${menuWidth}px`] : []),
  ].join(' ')
}

/** @param isRendered whether a column stands within the window; the first always does, since it stays */
export function rowPlan<Row>(plan: GridPlan<Row>, isRendered: (index: number) => boolean): RowPlan<Row> {
  const lead = leadOf(plan)
  const cells = plan.columns.flatMap((column, index): PlannedCell<Row>[] => {
    if (index > 0 && !isRendered(index)) return []
    const place = index + lead
    return [
      {
        column,
        place,
        className: `${classes.cell} ${columnClasses(column, index === 0)}`,
        style: { gridColumn: place + 1 },
      },
    ]
  })
  return { ...plan, cells, tracks: tracksOf(plan) }
}
