import type { CSSProperties, ReactNode } from 'react'
import { columnClasses } from './column-classes.ts'
import classes from './data-grid.module.css'
import type { ShownColumn } from './types.ts'

/** The properties that all rows share. */
export interface GridPlan<Row> {
  readonly columns: readonly ShownColumn<Row>[]
  readonly renderCell: Readonly<Record<string, (row: Row) => ReactNode>> | undefined
  readonly getName: (row: Row) => string
  readonly isMuted: ((row: Row) => boolean) | undefined
  readonly hasMenu: boolean
  readonly isSelectable: boolean
  readonly menuLabel: string
  readonly selectLabel: string
  /** Pixels of a row with one line. */
  readonly rowHeight: number
  readonly countLines: ((row: Row) => number) | undefined
}

export interface PlannedCell<Row> {
  readonly column: ShownColumn<Row>
  /** Among all columns, including the checkboxes. */
  readonly columnIndex: number
  readonly className: string
  readonly style: CSSProperties
}

export interface RowPlan<Row> extends GridPlan<Row> {
  readonly cells: readonly PlannedCell<Row>[]
  /** For `grid-template-columns`. */
  readonly tracks: string
}

/** Pixels of each line after the first. */
const lineHeight = 20

/** @returns pixels */
export const getHeight = <Row>({ rowHeight, countLines }: GridPlan<Row>, row: Row | undefined): number =>
  countLines === undefined || row === undefined ? rowHeight : rowHeight + (countLines(row) - 1) * lineHeight

export const checkboxWidth = 40
const menuWidth = 44
/** Pixels that the first column leaves on the narrowest phones, for a chip and the page's edges. */
const minOtherColumnsPx = 210

/** The number of columns before the data. */
export const countLeading = ({ isSelectable }: { readonly isSelectable: boolean }) => (isSelectable ? 1 : 0)

/**
 * The value of `grid-template-columns`. On narrow screens the pinned first column leaves room for others; that depends on
 * the window, because measuring a container would cause a second layout.
 * @param dragged the column that is being resized
 */
export function formatTracks<Row>(
  { columns, isSelectable, hasMenu }: GridPlan<Row>,
  dragged?: { readonly key: string; readonly width: number },
): string {
  const widths = columns.map(({ key, width }) => `${key === dragged?.key ? dragged.width : width}px`)
  const [first, ...others] = widths
  return [
    ...(isSelectable ? [`${checkboxWidth}px`] : []),
    ...(first === undefined ? [] : [`min(${first}, clamp(110px, 100vw - ${minOtherColumnsPx}px, 45vw))`]),
    ...others,
    'minmax(0, 1fr)',
    ...(hasMenu ? [`${menuWidth}px`] : []),
  ].join(' ')
}

/** @param isRendered whether a column is within the window; the first is always rendered, because it is pinned */
export function createRowPlan<Row>(
  plan: GridPlan<Row>,
  isRendered: (index: number) => boolean,
): RowPlan<Row> {
  const lead = countLeading(plan)
  const cells = plan.columns.flatMap((column, index): PlannedCell<Row>[] => {
    if (index > 0 && !isRendered(index)) return []
    const columnIndex = index + lead
    return [
      {
        column,
        columnIndex,
        className: `${classes.cell} ${columnClasses(column, index === 0)}`,
        style: { gridColumn: columnIndex + 1 },
      },
    ]
  })
  return { ...plan, cells, tracks: formatTracks(plan) }
}
