// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table element cannot be placed one by one.
// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the whole grid is focusable (ARIA's grid pattern).
import type { Sort } from '@kustos/contract/grid'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { CellTools } from './CellTools.tsx'
import { checkboxWidth, fitWidths, formatTracks } from './column-widths.ts'
import classes from './data-grid.module.css'
import { GridSkeleton } from './GridEmptyState.tsx'
import { GridRow } from './GridRow.tsx'
import { HeaderCell } from './HeaderCell.tsx'
import { type AnchorRect, measureAnchor } from './OverlayAnchor.tsx'
import { countLeading, createRowPlan, type GridPlan, getHeight } from './row-plan.ts'
import { nextSort } from './sorting.ts'
import type { ShownColumn } from './types.ts'
import { useColumnWindow } from './use-column-window.ts'
import { stopAt, useRoving } from './use-roving.ts'
import { useRowFocus } from './use-row-focus.ts'

interface Props<Row> {
  readonly label: string
  readonly plan: GridPlan<Row>
  readonly rows: readonly Row[]
  readonly getRowId: (row: Row) => string | number
  /** The number of rows on all pages, and on earlier ones. */
  readonly total: number
  readonly before: number
  readonly sort: readonly Sort[]
  /** Columns with active filters. */
  readonly filtered: ReadonlySet<string>
  readonly selectedIds: ReadonlySet<string | number>
  /** Shows a skeleton. */
  readonly isBusy: boolean
  readonly onSort: (sort: readonly Sort[]) => void
  readonly onFilter: (filter: { readonly key: string; readonly anchor: AnchorRect }) => void
  readonly onResize: (column: string, width: number) => void
  readonly onMove: (column: string, target: string) => void
  readonly onMenu: (menu: { readonly row: Row; readonly anchor: AnchorRect }) => void
  readonly onSelect: (rows: readonly Row[], isSelected: boolean) => void
  /** The grid scrolls to its top when this changes. */
  readonly view: unknown
  readonly onLeaveTop: (() => void) | undefined
  /** Shown instead of rows. */
  readonly blank: ReactNode
}

function GridTablePlain<Row>(props: Props<Row>) {
  const {
    plan,
    rows,
    total,
    before,
    sort,
    selectedIds,
    getRowId,
    isBusy,
    onSort,
    onFilter,
    onMenu,
    onSelect,
  } = props
  const { columns, isSelectable, hasMenu, rowHeight } = plan
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLDivElement>(null)
  /** The id of the row whose checkbox was clicked last; null in a new view. */
  const lastSelected = useRef<string | number>(null)
  const lead = countLeading(plan)
  const menuAt = columns.length + lead
  const columnCount = menuAt + (hasMenu ? 1 : 0)

  const roving = useRoving(table, {
    rows: rows.length,
    columns: columnCount,
    hasFilter: (column) => {
      const shown = columns[column - lead]
      return shown !== undefined && shown.displayOnly !== true
    },
  })
  const { active } = roving
  useRowFocus(table, rows, getRowId)

  const { from, to } = useColumnWindow(
    scroller,
    useCallback(
      (width) => fitWidths({ columns, isSelectable, hasMenu }, width),
      [columns, isSelectable, hasMenu],
    ),
  )
  const focused = active.column - lead
  const focusedOutside = focused < from || focused >= to ? focused : -1
  const rowsPlan = useMemo(
    () => createRowPlan(plan, (index) => (index >= from && index < to) || index === focusedOutside),
    [plan, from, to, focusedOutside],
  )
  const onDrag = useCallback(
    (key: string, width: number) => {
      const tracks = formatTracks(plan, { key, width })
      for (const row of table.current?.querySelectorAll<HTMLElement>('[role=row]') ?? [])
        row.style.gridTemplateColumns = tracks
    },
    [plan],
  )

  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      if (active.row < 0 || shown.includes(active.row)) return shown
      return [...shown, active.row].sort((a, b) => a - b)
    },
    [active.row],
  )
  // A new function invalidates the virtualizer's positions, for rows whose heights differ.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const getItemKey = useCallback((index: number) => index, [plan.countLines && rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => getHeight(plan, rows[index]),
    getItemKey,
    overscan: 4,
    rangeExtractor,
    initialRect: { width: 1200, height: 720 },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured heights depend on the density.
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view starts at its top.
  useLayoutEffect(() => {
    lastSelected.current = null
    if (scroller.current && virtualizer.scrollOffset) scroller.current.scrollTop = 0
  }, [props.view])

  const cellAt = useCallback(
    (element: Element) => {
      const [row, column] = element.closest<HTMLElement>('[data-stop]')?.dataset.stop?.split(':') ?? []
      const data = { row: rows[Number(row)], column: columns[Number(column) - lead] }
      return data.row !== undefined && data.column !== undefined
        ? { row: data.row, column: data.column }
        : null
    },
    [rows, columns, lead],
  )
  const rowOf = (target: EventTarget) => {
    const index =
      target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined
    return index === undefined ? undefined : rows[Number(index)]
  }
  function onClick(event: MouseEvent) {
    const row = rowOf(event.target)
    if (row === undefined || !(event.target instanceof Element)) return
    const menu = event.target.closest('[data-menu]')
    if (menu) onMenu({ row, anchor: measureAnchor(menu) })
    if (!event.target.closest('[data-select]')) return
    const at = rows.indexOf(row)
    // Shift selects everything between this row and the last one, which may have moved or gone.
    const last = rows.findIndex((other) => getRowId(other) === lastSelected.current)
    const from = event.shiftKey && last !== -1 ? last : at
    lastSelected.current = getRowId(row)
    onSelect(rows.slice(Math.min(from, at), Math.max(from, at) + 1), !selectedIds.has(getRowId(row)))
  }
  function onContextMenu(event: MouseEvent) {
    const row = hasMenu ? rowOf(event.target) : undefined
    if (row === undefined || !(event.target instanceof Element)) return
    event.preventDefault()
    const isPointer = event.clientX > 0 || event.clientY > 0
    const anchor =
      isPointer && event.button === 2
        ? { left: event.clientX, top: event.clientY, width: 1, height: 1 }
        : measureAnchor(event.target)
    onMenu({ row, anchor })
  }

  const sortOn = useCallback(
    (column: string, add: boolean) => onSort(nextSort(sort, column, add)),
    [onSort, sort],
  )
  const filterOn = useCallback(
    (key: string, button: Element) => onFilter({ key, anchor: measureAnchor(button) }),
    [onFilter],
  )
  const allSelected = rows.length > 0 && rows.every((row) => selectedIds.has(getRowId(row)))

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      onScroll={({ currentTarget }) => {
        if (currentTarget.scrollTop > rowHeight) props.onLeaveTop?.()
      }}
      style={
        { '--pinned': `${(columns[plan.pinned]?.width ?? 0) + lead * checkboxWidth}px` } as CSSProperties
      }
    >
      <div
        ref={table}
        role="grid"
        data-focus-fallback=""
        aria-label={props.label}
        aria-rowcount={total + 1}
        aria-colcount={columnCount}
        aria-busy={isBusy}
        aria-multiselectable={isSelectable || undefined}
        className={classes.table}
        style={{ '--pinned-left': `${lead * checkboxWidth}px` } as CSSProperties}
        onKeyDown={roving.onKeyDown}
        onFocus={roving.onFocus}
        onClick={onClick}
        onContextMenu={onContextMenu}
      >
        <div
          role="row"
          aria-rowindex={1}
          className={classes.head}
          style={{ gridTemplateColumns: rowsPlan.tracks }}
        >
          {isSelectable && (
            <div role="columnheader" aria-colindex={1} className={`${classes.headCell} ${classes.checkbox}`}>
              <input
                type="checkbox"
                checked={allSelected}
                // It stays the grid's tab stop, which a disabled one could not be.
                aria-disabled={rows.length === 0}
                onChange={() => onSelect(rows, !allSelected)}
                data-stop={stopAt(-1, 0)}
                tabIndex={active.row === -1 && active.column === 0 ? 0 : -1}
                aria-label={t('grid.selectAll')}
              />
            </div>
          )}
          {columns.map((column, position) => {
            const index = position + lead
            const part = sort.findIndex((other) => other.column === column.key)
            return (
              <HeaderCell
                key={column.key}
                column={column as ShownColumn<never>}
                index={index}
                isPinned={position === plan.pinned}
                sort={sort[part]}
                sortPlace={sort.length > 1 ? part + 1 : 0}
                isFiltered={props.filtered.has(column.key)}
                activePart={active.row === -1 && active.column === index ? active.part : null}
                onSort={sortOn}
                onFilter={filterOn}
                onDrag={onDrag}
                onResize={props.onResize}
                onMove={props.onMove}
                before={columns[position - 1]?.key}
                after={columns[position + 1]?.key}
              />
            )
          })}
          {hasMenu && (
            <div
              role="columnheader"
              aria-colindex={menuAt + 1}
              className={`${classes.headCell} ${classes.pinnedEnd}`}
              data-stop={stopAt(-1, menuAt)}
              tabIndex={active.row === -1 && active.column === menuAt ? 0 : -1}
            >
              <span className={classes.silent}>{t('grid.actions')}</span>
            </div>
          )}
        </div>
        {isBusy && <GridSkeleton plan={rowsPlan} />}
        <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, size }) => {
            const row = rows[index]
            return (
              row !== undefined && (
                <GridRow
                  key={index}
                  plan={rowsPlan}
                  row={row}
                  index={index}
                  top={start}
                  height={size}
                  ariaIndex={before + index + 2}
                  activeColumn={active.row === index ? active.column : -1}
                  isSelected={selectedIds.has(getRowId(row))}
                />
              )
            )
          })}
        </div>
        {/* Rendered in portals; a child, so that its key events bubble to the grid. */}
        <CellTools table={table} cellAt={cellAt} />
      </div>
      {isBusy && (
        <span role="status" className={classes.silent}>
          {t('grid.loading')}
        </span>
      )}
      {props.blank}
    </div>
  )
}

/** The cast restores the type parameters that memo drops. */
export const GridTable = memo(GridTablePlain) as typeof GridTablePlain
