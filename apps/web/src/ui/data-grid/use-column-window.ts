import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'

/** Columns from here to there, the end not included. */
interface Span {
  readonly from: number
  readonly to: number
}

/** So many pixels beyond either edge are rendered too. */
const margin = 160

function spanOf(widths: readonly number[], left: number, width: number): Span {
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

/**
 * Which columns stand within the scroller: like rows, those outside are not rendered. All are there while they fit.
 * @param widths in pixels, in the order of the columns; the same array as long as nothing changed
 */
export function useColumnWindow(scroller: RefObject<HTMLElement | null>, widths: readonly number[]): Span {
  // Kept from the events that change it: asking the element would lay the page out in the middle of a change.
  const [seen, see] = useState({ left: 0, width: window.innerWidth })

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const { scrollLeft: left, clientWidth: width } = element
      see((old) => (old.left === left && old.width === width ? old : { left, width }))
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])

  return useMemo(() => spanOf(widths, seen.left, seen.width), [widths, seen])
}
