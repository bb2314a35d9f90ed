import { type RefObject, useLayoutEffect, useRef } from 'react'
import { readStop, stopAt } from './use-roving.ts'

/** Keeps the focus on its row, since the next key is meant for that, when rows are added or removed above it. */
export function useRowFocus<Row>(
  table: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  getRowId: (row: Row) => string | number,
) {
  const shown = useRef(rows)
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = rows
    const focused = document.activeElement
    if (before === rows || !focused?.matches('[data-stop]') || !table.current?.contains(focused)) return
    const at = readStop(focused)
    const row = at && before[at.row]
    if (!at || !row) return
    const id = getRowId(row)
    const to = rows.findIndex((other) => getRowId(other) === id)
    if (to === at.row) return
    // Not there if the row is gone or far away: then the focus stays where it was.
    const stop = `[data-stop="${stopAt(to, at.column, at.part)}"]`
    if (to !== -1) table.current.querySelector<HTMLElement>(stop)?.focus({ preventScroll: true })
  }, [table, rows, getRowId])
}
