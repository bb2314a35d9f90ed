import type { GridPlan } from './row-plan.ts'
import type { ShownColumn } from './types.ts'

export const checkboxWidth = 40
const menuWidth = 44
/** Of the scroller: on phones, what the pinned column and the checkboxes leave of it. */
const widestSentence = '40cqw'
/** Pixels that the pinned column leaves on the narrowest phones, for a chip and the page's edges. */
const minOtherColumnsPx = 210

/** The part of the missing pixels that a column gives up: as much of it as it has to spare. */
function shares(columns: readonly Pick<ShownColumn<never>, 'width' | 'minWidth'>[]) {
  const spare = columns.map(({ width, minWidth }) => width - minWidth)
  const sum = spare.reduce((total, part) => total + part, 0)
  return spare.map((part) => (sum === 0 ? 0 : part / sum))
}

const sumWidths = (columns: readonly { readonly width: number }[]) =>
  columns.reduce((total, { width }) => total + width, 0)

const sideWidth = <Row>({ isSelectable, hasMenu }: Pick<GridPlan<Row>, 'isSelectable' | 'hasMenu'>) =>
  (isSelectable ? checkboxWidth : 0) + (hasMenu ? menuWidth : 0)

/** The widths of the columns in a scroller, as `formatTracks` lays them out; all in pixels. */
export function fitWidths<Row>(
  plan: Pick<GridPlan<Row>, 'columns' | 'isSelectable' | 'hasMenu'>,
  scrollerWidth: number,
): readonly number[] {
  const missing = Math.max(0, sumWidths(plan.columns) + sideWidth(plan) - scrollerWidth)
  const parts = shares(plan.columns)
  return plan.columns.map(({ width, minWidth }, index) =>
    Math.max(minWidth, width - missing * (parts[index] ?? 0)),
  )
}

/**
 * The value of `grid-template-columns`. Columns are narrowed to fit the scroller, each down to its minimum, before any is cut;
 * the browser computes that, so that it is right on the first paint. On phones the pinned column leaves room for others.
 * @param dragged the column that is being resized
 */
export function formatTracks<Row>(
  plan: GridPlan<Row>,
  dragged?: { readonly key: string; readonly width: number },
): string {
  const columns = plan.columns.map((column) =>
    column.key === dragged?.key ? { ...column, width: dragged.width, minWidth: dragged.width } : column,
  )
  const missing = `max(0px, ${sumWidths(columns) + sideWidth(plan)}px - 100cqw)`
  const parts = shares(columns)
  const tracks = columns.map(({ width, minWidth, wraps }, index) => {
    const part = (parts[index] ?? 0).toFixed(5)
    const isFixed = width === minWidth
    const fitted = isFixed ? `${width}px` : `max(${minWidth}px, ${width}px - ${part} * ${missing})`
    if (index === plan.pinned) return `min(${fitted}, clamp(110px, 100vw - ${minOtherColumnsPx}px, 45vw))`
    return wraps && !isFixed ? `min(${fitted}, ${widestSentence})` : fitted
  })
  return [
    ...(plan.isSelectable ? [`${checkboxWidth}px`] : []),
    ...tracks,
    'minmax(0, 1fr)',
    ...(plan.hasMenu ? [`${menuWidth}px`] : []),
  ].join(' ')
}
