// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table element cannot be placed one by one.
// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the whole grid is focusable (ARIA's grid pattern).
import { memo, type ReactNode } from 'react'
import { cellContent } from './cell-content.tsx'
import classes from './data-grid.module.css'
import type { ShownColumn } from './types.ts'
import { stopAt } from './use-roving.ts'

/** What all rows have in common; the same object as long as nothing of it changes. */
export interface RowPlan<Row> {
  readonly columns: readonly ShownColumn<Row>[]
  /** The columns' class names. */
  readonly cellClasses: readonly string[]
  readonly renderCell: Readonly<Record<string, (row: Row) => ReactNode>> | undefined
  readonly nameOf: (row: Row) => string
  readonly isMuted: ((row: Row) => boolean) | undefined
  readonly hasMenu: boolean
  readonly hasChoice: boolean
  readonly menuLabel: string
  readonly choiceLabel: string
  /** In pixels. */
  readonly rowHeight: number
}

interface Props<Row> {
  readonly plan: RowPlan<Row>
  readonly row: Row
  /** Its place on the page, from 0. */
  readonly index: number
  /** Its place among all rows and the header, as ARIA counts. */
  readonly ariaIndex: number
  /** The column of the stop that Tab reaches; -1 where it is in another row. */
  readonly activeColumn: number
  readonly isChosen: boolean
}

function GridRowPlain<Row>({ plan, row, index, ariaIndex, activeColumn, isChosen }: Props<Row>) {
  const { columns, cellClasses, renderCell, hasMenu, hasChoice } = plan
  const shift = hasChoice ? 1 : 0
  const menuAt = columns.length + shift
  return (
    <div
      role="row"
      aria-rowindex={ariaIndex}
      aria-selected={hasChoice ? isChosen : undefined}
      className={classes.row}
      data-row={index}
      data-muted={plan.isMuted?.(row) || undefined}
      style={{ transform: `translateY(${index * plan.rowHeight}px)` }}
    >
      {hasChoice && (
        <div role="gridcell" className={`${classes.cell} ${classes.choice}`}>
          <input
            type="checkbox"
            checked={isChosen}
            readOnly
            data-choose=""
            data-stop={stopAt(index, 0)}
            tabIndex={activeColumn === 0 ? 0 : -1}
            aria-label={`${plan.choiceLabel} ${plan.nameOf(row)}`}
          />
        </div>
      )}
      {columns.map((column, place) => (
        <div
          key={column.key}
          role={place === 0 ? 'rowheader' : 'gridcell'}
          className={cellClasses[place]}
          data-stop={stopAt(index, place + shift)}
          tabIndex={activeColumn === place + shift ? 0 : -1}
        >
          {renderCell?.[column.key]?.(row) ?? cellContent(column, row)}
        </div>
      ))}
      {hasMenu && (
        <div role="gridcell" className={`${classes.cell} ${classes.pinnedEnd}`}>
          <button
            type="button"
            className={classes.tool}
            data-menu=""
            data-stop={stopAt(index, menuAt)}
            tabIndex={activeColumn === menuAt ? 0 : -1}
            aria-haspopup="menu"
            aria-label={`${plan.menuLabel} ${plan.nameOf(row)}`}
          >
            ⋯
          </button>
        </div>
      )}
    </div>
  )
}

/** One row. A memo forgets type parameters; the cast gives them back. */
export const GridRow = memo(GridRowPlain) as typeof GridRowPlain
