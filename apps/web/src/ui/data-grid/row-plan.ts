import type { CSSProperties, ReactNode } from 'react'
import { columnClasses } from './column-classes.ts'
import { formatTracks } from './column-widths.ts'
import classes from './data-grid.module.css'
import type { ShownColumn } from './types.ts'

/** The properties that all rows share. */
export interface GridPlan<Row> {
  readonly columns: readonly ShownColumn<Row>[]
  /** The index of the column that names a row, and stays in view. */
  readonly pinned: number
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
  readonly isPinned: boolean
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

/** The number of columns before the data. */
export const countLeading = ({ isSelectable }: { readonly isSelectable: boolean }) => (isSelectable ? 1 : 0)

/** @param isRendered whether a column is within the window; the pinned one is always rendered */
export function createRowPlan<Row>(
  plan: GridPlan<Row>,
  isRendered: (index: number) => boolean,
): RowPlan<Row> {
  const lead = countLeading(plan)
  const cells = plan.columns.flatMap((column, index): PlannedCell<Row>[] => {
    const isPinned = index === plan.pinned
    if (!isPinned && !isRendered(index)) return []
    const columnIndex = index + lead
    return [
      {
        column,
        columnIndex,
        isPinned,
        className: `${classes.cell} ${columnClasses(column, isPinned)}`,
        style: { gridColumn: columnIndex + 1 },
      },
    ]
  })
  return { ...plan, cells, tracks: formatTracks(plan) }
}
