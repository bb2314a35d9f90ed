/** A range of columns; `to` is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Pixels beyond either edge that are rendered too. */
const margin = 160

/** The columns within the window; all arguments are pixels. @param left how far the table is scrolled */
export function spanOf(widths: readonly number[], left: number, width: number): Span {
  let edge = 0
  let from = 0
  let to = 0
  for (const [index, column] of widths.entries()) {
    if (edge + column < left - margin) from = index + 1
    if (edge < left + width + margin) to = index + 1
    edge += column
  }
  return { from, to }
}
