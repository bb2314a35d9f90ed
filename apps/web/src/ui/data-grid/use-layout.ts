import type { Column, ColumnKind } from '@kustos/contract/grid'
import type { View } from '@kustos/contract/views'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isStringArray, recall, remember } from '../../platform/storage.ts'
import { headingWidths } from './heading-width.ts'
import type { ShownColumn } from './types.ts'

export const densities = { normal: 36, compact: 30 } as const
/** Of the rows on phones, where sentences take three lines. */
export const tallRowHeight = 56
export type Density = keyof typeof densities

const densityKey = 'kustos.grid.density'

/** @returns pixels */
export const boundedWidth = (width: number) => Math.round(Math.min(800, Math.max(56, width)))

const defaultWidths: Readonly<Record<ColumnKind, number>> = {
  text: 160,
  number: 96,
  bytes: 120,
  date: 170,
  select: 130,
  status: 120,
  tags: 190,
}

/** The parts of their widths that are for long values; chips, tags and codes are cut badly. */
const slack: Readonly<Record<Exclude<ColumnKind, 'date'>, number>> = {
  text: 0.35,
  number: 0.25,
  bytes: 0.15,
  select: 0.2,
  status: 0.1,
  tags: 0.15,
}

/** Pixels of a time with its padding, which is useless if it is cut. */
const timeWidth = 155

/** Of the column that names a row, which is cut last. */
const namingSlack = 0.1

/**
 * The pixels of a column, and those down to which it is narrowed, which keep the room for its heading on two lines.
 * @param chosen by the user
 */
export function widthsOf(column: Column<never>, chosen: number | undefined, isNaming: boolean) {
  if (chosen !== undefined) return { width: chosen, minWidth: chosen }
  const usual = column.width ?? defaultWidths[column.kind]
  const heading = headingWidths(column)
  return {
    width: Math.max(usual, heading.whole),
    minWidth: Math.max(narrowestWidth(column, usual, isNaming), heading.folded),
  }
}

function narrowestWidth(
  { minWidth, kind, displayOnly }: Column<never>,
  usual: number,
  isNaming: boolean,
): number {
  if (minWidth !== undefined) return minWidth
  if (kind === 'date') return Math.min(usual, timeWidth)
  const spare = displayOnly ? 0 : isNaming ? namingSlack : slack[kind]
  return Math.round(usual * (1 - spare))
}

export interface Layout {
  /** Pixels by column key. */
  readonly widths: Readonly<Record<string, number>>
  /** Column keys; others keep their place. */
  readonly order: readonly string[]
}

const usual: Layout = { widths: {}, order: [] }

/** @returns undefined if nothing is stored, as before the first change and after a reset */
function readLayout(stored: unknown): Layout | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const widths: unknown = 'widths' in stored ? stored.widths : undefined
  const order: unknown = 'order' in stored ? stored.order : undefined
  const numbers = Object.entries(typeof widths === 'object' && widths !== null ? widths : {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  )
  return { widths: Object.fromEntries(numbers), order: isStringArray(order) ? order : [] }
}

const readStored = (key: string) => ({ key, layout: readLayout(recall(key)) })

const isSame = (one: Layout, other: Layout) =>
  one.order.join() === other.order.join() &&
  Object.keys({ ...one.widths, ...other.widths }).every((key) => one.widths[key] === other.widths[key])

/**
 * Widths and order of the columns, stored in the browser, separately for narrow screens and for changes to each view, and the
 * density. Views keep the layout of wide screens only.
 */
export function useLayout<Row>(
  id: string,
  isNarrow: boolean,
  columns: readonly Column<Row>[],
  view: View | undefined,
  naming: string | undefined,
) {
  const viewKey = view === undefined ? '' : `.view.${view.id}`
  const key = `kustos.grid.${id}${isNarrow ? '.narrow' : viewKey}`
  const base = useMemo(
    () => (view === undefined || isNarrow ? usual : { widths: view.column_widths, order: view.column_order }),
    [view, isNarrow],
  )
  const [stored, setStored] = useState(() => readStored(key))
  if (stored.key !== key) setStored(readStored(key))
  const layout = stored.layout ?? base
  const setLayout = useCallback(
    (change: (layout: Layout) => Layout) =>
      setStored((old) => ({ ...old, layout: change(old.layout ?? base) })),
    [base],
  )
  const [density, setDensity] = useState<Density>(() =>
    recall(densityKey) === 'compact' ? 'compact' : 'normal',
  )
  const remembered = useRef(stored)
  useEffect(() => {
    const { key: last, layout: before } = remembered.current
    if (last === stored.key && before !== stored.layout) remember(stored.key, stored.layout ?? null)
    remembered.current = stored
  }, [stored])

  const ordered = useMemo(() => {
    const place = new Map(layout.order.map((column, index) => [column, index]))
    return columns
      .map((column, index) => ({ column, place: place.get(column.key) ?? index }))
      .sort((a, b) => a.place - b.place)
      .map(
        ({ column }): ShownColumn<Row> => ({
          ...column,
          ...widthsOf(column, layout.widths[column.key], column.key === naming),
        }),
      )
  }, [columns, layout, naming])

  const resize = useCallback(
    (column: string, width: number) => {
      setLayout((old) => ({ ...old, widths: { ...old.widths, [column]: boundedWidth(width) } }))
    },
    [setLayout],
  )

  /** Moves a column to the position of another one. */
  const move = useCallback(
    (column: string, target: string) => {
      const keys = ordered.map((shown) => shown.key)
      const from = keys.indexOf(column)
      const to = keys.indexOf(target)
      if (from === -1 || to === -1 || from === to) return
      keys.splice(to, 0, ...keys.splice(from, 1))
      setLayout((old) => ({ ...old, order: keys }))
    },
    [ordered, setLayout],
  )

  const restore = useCallback(() => setStored((old) => ({ ...old, layout: undefined })), [])
  const changeDensity = useCallback((next: Density) => {
    setDensity(next)
    remember(densityKey, next)
  }, [])

  /** The layout that a view saves. */
  const saved = useMemo(
    () =>
      isNarrow
        ? { column_widths: view?.column_widths ?? {}, column_order: view?.column_order ?? [] }
        : { column_widths: { ...layout.widths }, column_order: [...layout.order] },
    [isNarrow, view, layout],
  )
  const isChanged = !isSame(layout, base)
  return { ordered, saved, isChanged, density, resize, move, restore, setDensity: changeDensity }
}
