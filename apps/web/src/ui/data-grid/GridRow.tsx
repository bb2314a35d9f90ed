// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table element cannot be placed one by one.
// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the whole grid is focusable (ARIA's grid pattern).
import { memo } from 'react'
import { cellContent } from './cell-content.tsx'
import classes from './data-grid.module.css'
import { countLeading, type RowPlan } from './row-plan.ts'
import { stopAt } from './use-roving.ts'

interface Props<Row> {
  readonly plan: RowPlan<Row>
  readonly row: Row
  /** On the page. */
  readonly index: number
  /** Pixels. */
  readonly top: number
  readonly height: number
  /** On all pages, from 1 for the header. */
  readonly ariaIndex: number
  /** The column of the tab stop; -1 if it is in another row. */
  readonly activeColumn: number
  readonly isSelected: boolean
}

function GridRowPlain<Row>({
  plan,
  row,
  index,
  top,
  height,
  ariaIndex,
  activeColumn,
  isSelected,
}: Props<Row>) {
  const { cells, renderCell, hasMenu, isSelectable } = plan
  const menuAt = plan.columns.length + countLeading(plan)
  return (
    <div
      role="row"
      aria-rowindex={ariaIndex}
      aria-selected={isSelectable ? isSelected : undefined}
      className={classes.row}
      data-row={index}
      data-muted={plan.isMuted?.(row) || undefined}
      style={{ top, height, gridTemplateColumns: plan.tracks }}
    >
      {isSelectable && (
        <div role="gridcell" aria-colindex={1} className={`${classes.cell} ${classes.checkbox}`}>
          <input
            type="checkbox"
            checked={isSelected}
            readOnly
            data-select=""
            data-stop={stopAt(index, 0)}
            tabIndex={activeColumn === 0 ? 0 : -1}
            aria-label={`${plan.selectLabel} ${plan.getName(row)}`}
          />
        </div>
      )}
      {cells.map(({ column, columnIndex, isPinned, className, style }) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support aria-colindex.
        <div
          key={column.key}
          role={isPinned ? 'rowheader' : 'gridcell'}
          aria-colindex={columnIndex + 1}
          className={className}
          style={style}
          data-stop={stopAt(index, columnIndex)}
          tabIndex={activeColumn === columnIndex ? 0 : -1}
        >
          {renderCell?.[column.key]?.(row) ?? cellContent(column, row)}
        </div>
      ))}
      {hasMenu && (
        <div role="gridcell" aria-colindex={menuAt + 1} className={`${classes.cell} ${classes.pinnedEnd}`}>
          <button
            type="button"
            className={classes.tool}
            data-menu=""
            data-stop={stopAt(index, menuAt)}
            tabIndex={activeColumn === menuAt ? 0 : -1}
            aria-haspopup="menu"
            aria-label={`${plan.menuLabel} ${plan.getName(row)}`}
          >
            ⋯
          </button>
        </div>
      )}
    </div>
  )
}

/** The cast restores the type parameters that memo drops. */
export const GridRow = memo(GridRowPlain) as typeof GridRowPlain
