import { type ColumnFilter, columnsOf, createQueryEngine, gridStateToQuery } from '@kustos/contract/grid'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { loadTexts } from '../../platform/i18n.ts'
import { lazyPart, loadDelayMs, retryLoad } from '../../platform/load-code.ts'
import { Failure } from '../Failure.tsx'
import { lazyMenu } from '../menu/lazy-menu.ts'
import { BulkBar } from './BulkBar.tsx'
import classes from './data-grid.module.css'
import { activeConditions } from './describe-condition.ts'
import { FilterChips } from './FilterChips.tsx'
import { GridEmptyState } from './GridEmptyState.tsx'
import { GridHeading } from './GridHeading.tsx'
import { GridTable } from './GridTable.tsx'
import { looksLikeRegex } from './looks-like-regex.ts'
import type { AnchorRect } from './OverlayAnchor.tsx'
import { Pager } from './Pager.tsx'
import type { GridPlan } from './row-plan.ts'
import { runWhenIdle } from './run-when-idle.ts'
import { SearchField } from './SearchField.tsx'
import type { DataGridProps } from './types.ts'
import { useColumnSets } from './use-column-sets.ts'
import { useFilledColumns } from './use-filled-columns.ts'
import { useGridState } from './use-grid-state.ts'
import { useLabelledGrid } from './use-labelled-grid.ts'
import { densities, tallRowHeight, useLayout } from './use-layout.ts'
import { useOverlay } from './use-overlay.ts'
import { usePrimaryColumnsFirst } from './use-primary-columns-first.ts'
import { useSelectedRows } from './use-selected-rows.ts'
import { useListViews } from './views/use-list-views.ts'
import { useOpenedView } from './views/use-opened-view.ts'

const loadFilterPopover = async () => ({ default: (await import('./FilterPopover.tsx')).FilterPopover })
// lazyPart forgets type parameters; the cast gives them back.
const FilterPopover = lazyPart(loadFilterPopover) as typeof import('./FilterPopover.tsx').FilterPopover

const [RowMenu, preloadRowMenu] = lazyMenu(() => import('./RowMenu.tsx'))

/** The list works without them. */
const loadViews = () =>
  retryLoad(async () => {
    const [{ Views: component }] = await Promise.all([import('./views/Views.tsx'), loadTexts('screens')])
    return { default: component }
  })
const Views = lazy(loadViews) as typeof import('./views/Views.tsx').Views

const none: readonly never[] = []

function withFilter(filters: readonly ColumnFilter[], column: string, next: ColumnFilter | undefined) {
  if (!filters.some((filter) => filter.column === column)) return next ? [...filters, next] : filters
  return filters.flatMap((filter) => (filter.column === column ? (next ?? []) : filter))
}

/**
 * A list with search, filters, sorting, paging, column sets and row actions. Its state is in the URL, or in the view that the URL
 * names; widths, order and density are stored in the browser.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { id, getRowId, renderCell, rowActions, bulkActions, isMuted, countLines, query } = props
  const { t } = useTranslation()
  const listViews = useListViews(id)
  const opened = useOpenedView(listViews, props.grid)
  const openView = opened.saved?.view
  const rows: readonly Row[] = (!opened.isWaiting && props.rows) || none
  const { state, shown, change, changeSearchParams, rewriteUrl } = useGridState(props.grid, opened)
  const { isNarrow, orderedGrid } = usePrimaryColumnsFirst(props.grid, shown.filters)
  const grid = useLabelledGrid(orderedGrid, props.texts)
  // Of a view they are no choice for the list itself.
  const storageKey = openView ? undefined : props.storageKey
  const { sets, toggle } = useColumnSets(props.grid, state.sets, change, storageKey)
  const naming = props.grid.primaryColumns?.[0]
  const layout = useLayout(id, isNarrow, grid.columns, openView, naming)
  const { search: urlSearch } = useLocation()
  const [notes, setNotes] = useState<HTMLElement | null>(null)
  const viewOptions = useDeferredValue(
    listViews.list && {
      listViews,
      opened,
      grid: props.grid,
      state: shown,
      sets,
      layout,
      isNarrow,
      search: urlSearch,
      rewriteUrl,
    },
  )
  const { ordered, density, resize, move } = layout
  const filter = useOverlay<{ readonly key: string; readonly anchor: AnchorRect }>()
  const menu = useOverlay<{ readonly row: Row; readonly anchor: AnchorRect }>()

  const { search, regex, filters, sort } = shown
  const filtered = useMemo(
    () =>
      new Set(
        filters.flatMap((one) => {
          const column = grid.columns.find(({ key }) => key === one.column)
          return column && activeConditions(column, one).length > 0 ? [column.key] : []
        }),
      ),
    [grid, filters],
  )
  const chosen = useMemo(() => columnsOf({ ...grid, columns: ordered }, sets), [grid, ordered, sets])
  const emptyKey = props.hidesEmptyColumns ? `kustos.grid.${id}.empty` : undefined
  const visible = useFilledColumns(emptyKey, chosen, rows, filtered)
  const engine = useMemo(() => createQueryEngine(rows, grid.columns), [rows, grid])
  useEffect(() => runWhenIdle(engine.warmUp(visible)), [engine, visible])
  // Without a search, visible columns do not affect the rows.
  const searched = search.trim() === '' ? none : visible
  const matchingRows = useMemo(
    () => engine.query({ search, regex, filters, sort }, searched),
    [engine, search, regex, filters, sort, searched],
  )
  const pages = Math.max(1, Math.ceil(matchingRows.length / shown.size))
  const page = Math.min(shown.page, pages)
  const before = (page - 1) * shown.size
  const pageRows = useMemo(
    () => matchingRows.slice(before, before + shown.size),
    [matchingRows, before, shown.size],
  )
  const { selectedIds, selectedRows, hiddenCount, setSelected, clear } = useSelectedRows(
    rows,
    matchingRows,
    getRowId,
  )

  const getName = useCallback(
    (row: Row) => {
      if (props.getRowName) return props.getRowName(row)
      const column = grid.columns.find(({ key }) => key === props.grid.primaryColumns?.[0]) ?? grid.columns[0]
      return String(column?.value(row) ?? getRowId(row))
    },
    [props.getRowName, props.grid, grid, getRowId],
  )
  const hasMenu = rowActions !== undefined
  useEffect(() => {
    const timer = setTimeout(() => void preloadRowMenu(), loadDelayMs)
    return () => clearTimeout(timer)
  }, [])
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const isTall = isPhone && visible.some(({ wraps }) => wraps)
  const isSelectable = bulkActions !== undefined && bulkActions.length > 0
  const plan: GridPlan<Row> = useMemo(
    () => ({
      columns: visible,
      pinned: Math.max(
        0,
        visible.findIndex(({ key }) => key === naming),
      ),
      renderCell,
      getName,
      isMuted,
      hasMenu,
      isSelectable,
      menuLabel: t('grid.actionsOf'),
      selectLabel: t('grid.select'),
      rowHeight: isTall ? tallRowHeight : densities[density],
      countLines,
    }),
    [visible, naming, renderCell, getName, isMuted, hasMenu, isSelectable, t, isTall, density, countLines],
  )
  const sortBy = useCallback((next: typeof sort) => change({ sort: next }), [change])
  const reset = useCallback(() => change({ search: '', filters: [] }), [change])
  const { close: closeFilter } = filter
  const moveAndClose = useCallback(
    (column: string, target: string) => {
      move(column, target)
      closeFilter()
    },
    [move, closeFilter],
  )

  const at = visible.findIndex((column) => column.key === filter.content?.key)
  const filterColumn = visible[at]
  const error = query?.error ?? null
  const isLoading = (props.rows === undefined && error === null) || opened.isWaiting
  const isFiltered = rows.length > 0
  const blank = matchingRows.length === 0 && !isLoading && (isFiltered || error === null) && (
    <GridEmptyState
      isFiltered={isFiltered}
      empty={props.empty}
      onReset={reset}
      onRegex={!regex && looksLikeRegex(search) ? () => change({ regex: true }) : undefined}
    />
  )
  const view = useMemo(
    () => ({
      query: new URLSearchParams(gridStateToQuery({ ...shown, sets })).toString(),
      count: matchingRows.length,
      changeSearchParams,
    }),
    [shown, sets, matchingRows, changeSearchParams],
  )

  const isSelecting = bulkActions && selectedRows.length + hiddenCount > 0

  return (
    <div
      className={classes.root}
      data-density={density}
      data-tall={isTall || undefined}
      data-selecting={isSelecting || undefined}
    >
      <GridHeading
        title={props.title}
        toolbar={props.toolbar}
        views={
          viewOptions &&
          notes && (
            <Suspense fallback={<div className={classes.views} />}>
              <Views options={viewOptions} notes={notes} />
            </Suspense>
          )
        }
        // Rows are rendered first.
        view={useDeferredValue(view)}
        sets={useDeferredValue(sets)}
        all={grid.sets}
        onToggle={toggle}
        density={density}
        onDensity={layout.setDensity}
        onRestore={layout.isChanged ? layout.restore : undefined}
      />
      <div ref={setNotes} />
      {props.note}
      <div className={classes.bar}>
        {props.hasSearch || <SearchField search={state.search} regex={state.regex} change={change} />}
        <FilterChips state={useDeferredValue(shown)} columns={grid.columns} change={change} />
      </div>
      {query && error !== null && (
        <Failure
          error={error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          stale={props.rows !== undefined}
        />
      )}
      <GridTable
        label={props.title}
        plan={plan}
        rows={pageRows}
        getRowId={getRowId}
        total={matchingRows.length}
        before={before}
        sort={sort}
        filtered={filtered}
        selectedIds={selectedIds}
        isBusy={isLoading}
        onSort={sortBy}
        onFilter={filter.open}
        onResize={resize}
        onMove={move}
        onMenu={menu.open}
        onSelect={setSelected}
        view={shown}
        onLeaveTop={props.onLeaveTop}
        blank={blank}
      />
      {isSelecting && (
        <BulkBar
          selected={selectedRows}
          hiddenCount={hiddenCount}
          matching={matchingRows}
          actions={bulkActions}
          onSelect={setSelected}
          onClear={clear}
        />
      )}
      <Pager
        page={page}
        size={shown.size}
        total={matchingRows.length}
        all={props.rows?.length}
        hasMore={props.hasMoreRows ?? false}
        change={change}
      />
      {filter.content && filterColumn && (
        <Suspense>
          <FilterPopover
            key={filterColumn.key}
            anchor={filter.content.anchor}
            column={filterColumn}
            filter={state.filters.find(({ column }) => column === filterColumn.key)}
            values={() => engine.values(filterColumn.key)}
            onChange={(next, typing) => {
              change({ filters: withFilter(state.filters, filterColumn.key, next) }, typing)
            }}
            onClose={closeFilter}
            tools={{
              before: visible[at - 1]?.key,
              after: visible[at + 1]?.key,
              onResize: resize,
              onMove: moveAndClose,
            }}
          />
        </Suspense>
      )}
      {menu.content && rowActions && (
        <Suspense>
          <RowMenu
            anchor={menu.content.anchor}
            label={`${t('grid.actionsOf')} ${getName(menu.content.row)}`}
            actions={rowActions(menu.content.row).filter((action) => action !== false)}
            onClose={menu.close}
          />
        </Suspense>
      )}
    </div>
  )
}
