import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'

/** Pixels beyond either edge that are rendered too. */
const marginPx = 160

/** The columns within a window, `to` exclusive; all arguments are pixels. @param left the scroll position */
export function columnsWithin(widths: readonly number[], left: number, width: number) {
  let edge = 0
  let from = 0
  let to = 0
  for (const [index, column] of widths.entries()) {
    if (edge + column < left - marginPx) from = index + 1
    if (edge < left + width + marginPx) to = index + 1
    edge += column
  }
  return { from, to }
}

/**
 * The columns within the scroller; others are not rendered.
 * @param widthsAt the columns' widths in a scroller of this width, in pixels; must be the same function on every render
 */
export function useColumnWindow(
  scroller: RefObject<HTMLElement | null>,
  widthsAt: (width: number) => readonly number[],
) {
  // Stored on scroll and resize, because reading it during a render would force a layout.
  const [viewport, setViewport] = useState({ left: 0, width: window.innerWidth })

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const { scrollLeft: left, clientWidth: width } = element
      setViewport((old) => (old.left === left && old.width === width ? old : { left, width }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller])

  return useMemo(
    () => columnsWithin(widthsAt(viewport.width), viewport.left, viewport.width),
    [widthsAt, viewport],
  )
}
