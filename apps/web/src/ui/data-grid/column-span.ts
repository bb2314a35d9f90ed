/** Columns from here to there, the end not included. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** So many pixels beyond either edge are rendered too. */
const margin = 160

/**
 * The columns that a stretch of the table shows.
 * @param widths, left, width in pixels; `left` is how far the table is scrolled
 */
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
