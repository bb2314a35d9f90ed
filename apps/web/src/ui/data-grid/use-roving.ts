import { type KeyboardEvent, type RefObject, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * A position of the grid's only tab stop, which arrow keys move (ARIA's grid pattern). Row -1 is the header, whose columns
 * have two stops: `part` 0 sorts, 1 filters.
 */
interface Stop {
  readonly row: number
  readonly column: number
  readonly part: 0 | 1
}

const pageStep = 10

/** The value of `data-stop`. */
export const stopAt = (row: number, column: number, part: 0 | 1 = 0) => `${row}:${column}:${part}`

export function readStop(element: Element | null): Stop | null {
  const [row, column, part] = element?.closest<HTMLElement>('[data-stop]')?.dataset.stop?.split(':') ?? []
  if (row === undefined || column === undefined) return null
  return { row: Number(row), column: Number(column), part: part === '1' ? 1 : 0 }
}

interface Extent {
  readonly rows: number
  readonly columns: number
  readonly hasFilter: (column: number) => boolean
}

/** The stop that a key leads to; null for none. */
function nextStop(at: Stop, event: KeyboardEvent, { rows, columns, hasFilter }: Extent): Stop | null {
  const lastRow = rows - 1
  const lastColumn = columns - 1
  const toEdge = event.ctrlKey || event.metaKey
  const inRow = (row: number): Stop => ({
    row: Math.max(-1, Math.min(lastRow, row)),
    column: at.column,
    part: 0,
  })
  switch (event.key) {
    case 'ArrowDown':
      return inRow(toEdge ? lastRow : at.row + 1)
    case 'ArrowUp':
      return inRow(toEdge ? -1 : at.row - 1)
    case 'PageDown':
      return inRow(Math.max(0, at.row + pageStep))
    case 'PageUp':
      return inRow(Math.max(Math.min(0, lastRow), at.row - pageStep))
    case 'ArrowRight':
      if (at.row === -1 && at.part === 0 && hasFilter(at.column)) return { ...at, part: 1 }
      return { row: at.row, column: Math.min(lastColumn, at.column + 1), part: 0 }
    case 'ArrowLeft': {
      if (at.part === 1) return { ...at, part: 0 }
      const column = Math.max(0, at.column - 1)
      const toFilter = at.row === -1 && column !== at.column && hasFilter(column)
      return { row: at.row, column, part: toFilter ? 1 : 0 }
    }
    case 'Home':
      return { row: toEdge ? -1 : at.row, column: 0, part: 0 }
    case 'End':
      return { row: toEdge ? lastRow : at.row, column: lastColumn, part: 0 }
    default:
      return null
  }
}

const widgets = 'a[href], button, input'

/**
 * Enter clicks a cell's `data-main` or first widget, F2 focuses the first one; inside, left and right move between widgets
 * and Escape returns to the cell.
 * @returns whether the key was handled
 */
function enterCell(stop: HTMLElement, event: KeyboardEvent): boolean {
  const inside = [...stop.querySelectorAll<HTMLElement>(widgets)]
  const at = inside.findIndex((widget) => event.target instanceof Node && widget.contains(event.target))
  if (at !== -1) {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    const next = event.key === 'Escape' ? stop : step === 0 ? undefined : inside[at + step]
    next?.focus()
    return next !== undefined
  }
  if (event.key !== 'Enter' && event.key !== 'F2') return false
  const widgetsOfCell = inside.filter((widget) => !('copy' in widget.dataset))
  const main = widgetsOfCell.find((widget) => 'main' in widget.dataset) ?? widgetsOfCell[0]
  if (event.key === 'Enter' && main) main.click()
  else inside[0]?.focus()
  return inside.length > 0
}

export function useRoving(table: RefObject<HTMLElement | null>, extent: Extent) {
  const [stored, setActive] = useState<Stop>({ row: -1, column: 0, part: 0 })
  // Rows and columns may have become fewer.
  const active: Stop = {
    ...stored,
    row: Math.min(stored.row, extent.rows - 1),
    column: Math.min(stored.column, extent.columns - 1),
  }

  const onFocus = useCallback((event: { target: EventTarget }) => {
    const at = event.target instanceof Element ? readStop(event.target) : null
    if (!at) return
    setActive((old) => (old.row === at.row && old.column === at.column && old.part === at.part ? old : at))
  }, [])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.altKey || event.defaultPrevented || !(event.target instanceof Element)) return
    const stop = event.target.closest<HTMLElement>('[data-stop]')
    const at = readStop(stop)
    if (!stop || !at) return
    if (enterCell(stop, event)) {
      event.preventDefault()
      return
    }
    const to = nextStop(at, event, extent)
    if (!to) return
    event.preventDefault()
    // Renders the row if it is outside the window.
    flushSync(() => setActive(to))
    const next = table.current?.querySelector<HTMLElement>(
      `[data-stop="${stopAt(to.row, to.column, to.part)}"]`,
    )
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  return { active, onFocus, onKeyDown }
}
