// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table element cannot be placed one by one.
// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the whole grid is focusable (ARIA's grid pattern).
import type { Sort } from '@kustos/contract/grid'
import { IconArrowDown, IconArrowUp, IconFilter, IconFilterFilled } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type PointerEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { columnClasses } from './column-classes.ts'
import classes from './data-grid.module.css'
import type { ShownColumn } from './types.ts'
import { boundedWidth } from './use-layout.ts'
import { stopAt } from './use-roving.ts'

export interface HeaderCellProps {
  readonly column: Pick<
    ShownColumn<never>,
    'key' | 'label' | 'kind' | 'width' | 'isMonospaced' | 'displayOnly'
  >
  readonly index: number
  readonly isPinned: boolean
  readonly sort: Sort | undefined
  /** From 1 if several columns are sorted, else 0. */
  readonly sortPlace: number
  readonly isFiltered: boolean
  /** Which of its two buttons is the tab stop, if any. */
  readonly activePart: 0 | 1 | null
  readonly onSort: (column: string, add: boolean) => void
  readonly onFilter: (column: string, button: Element) => void
  /** Called while an edge is dragged, before `onResize`. */
  readonly onDrag: (column: string, width: number) => void
  readonly onResize: (column: string, width: number) => void
  readonly onMove: (column: string, target: string) => void
  /** Keys of its neighbours. */
  readonly before: string | undefined
  readonly after: string | undefined
}

const keyboardStep = 16
/** Rejects dragged files and text. */
const dragType = 'application/x-kustos-column'

/** Constants, because React skips elements that are identical. */
const icons = {
  ascending: <IconArrowUp size={14} />,
  descending: <IconArrowDown size={14} />,
  filter: <IconFilter size={14} />,
  filtered: <IconFilterFilled size={14} />,
}

function HeaderCellPlain(props: HeaderCellProps) {
  const { column, index, sort, sortPlace, isFiltered, activePart, onSort, onFilter, onMove, onResize } = props
  const { t } = useTranslation()
  const [isTarget, setTarget] = useState(false)
  const { key, label, width } = column

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const way = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (!event.altKey || way === 0) return
    event.preventDefault()
    if (!event.shiftKey) {
      onResize(key, width + way * keyboardStep)
      return
    }
    const neighbour = way === -1 ? props.before : props.after
    const focused = event.target
    if (neighbour === undefined || !(focused instanceof HTMLElement)) return
    flushSync(() => onMove(key, neighbour))
    focused.focus()
  }

  return (
    <div
      role="columnheader"
      aria-sort={sort && (sort.descending ? 'descending' : 'ascending')}
      aria-colindex={index + 1}
      className={`${classes.headCell} ${columnClasses(column, props.isPinned)}`}
      data-drop={isTarget || undefined}
      onKeyDown={onKeyDown}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false)
        event.preventDefault()
        onMove(event.dataTransfer.getData(dragType), key)
      }}
    >
      <button
        type="button"
        className={classes.sort}
        data-stop={stopAt(-1, index)}
        tabIndex={activePart === 0 ? 0 : -1}
        title={column.displayOnly ? undefined : t('grid.sortHint')}
        draggable
        onDragStart={(event) => {
          event.dataTransfer.setData(dragType, key)
          event.dataTransfer.effectAllowed = 'move'
        }}
        onClick={(event) => !column.displayOnly && onSort(key, event.shiftKey)}
      >
        <span className={classes.label}>{label}</span>
        {sort && (sort.descending ? icons.descending : icons.ascending)}
        {sortPlace > 0 && <span className={classes.place}>{sortPlace}</span>}
      </button>
      {!column.displayOnly && (
        <button
          type="button"
          className={classes.filter}
          data-stop={stopAt(-1, index, 1)}
          data-active={isFiltered || undefined}
          tabIndex={activePart === 1 ? 0 : -1}
          aria-haspopup="dialog"
          aria-label={t(isFiltered ? 'grid.filterActive' : 'grid.filter', { column: label })}
          onClick={(event) => onFilter(key, event.currentTarget)}
        >
          {isFiltered ? icons.filtered : icons.filter}
        </button>
      )}
      <Resizer column={key} onDrag={props.onDrag} onResize={onResize} />
    </div>
  )
}

export const HeaderCell = memo(HeaderCellPlain)

/** Resizes a column. Until the pointer is released, only the rows' grid templates change, without a render. */
function Resizer({
  column,
  onDrag,
  onResize,
}: Pick<HeaderCellProps, 'onDrag' | 'onResize'> & { column: string }) {
  function start(event: PointerEvent<HTMLElement>) {
    const handle = event.currentTarget
    const cell = handle.parentElement
    if (!cell) return
    event.preventDefault()
    const from = event.clientX
    const before = cell.getBoundingClientRect().width
    let width = before
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = (move) => {
      width = boundedWidth(before + move.clientX - from)
      onDrag(column, width)
    }
    handle.onlostpointercapture = () => {
      handle.onpointermove = null
      handle.onlostpointercapture = null
      if (width !== before) onResize(column, width)
    }
  }
  return <div className={classes.resize} aria-hidden="true" onPointerDown={start} />
}
