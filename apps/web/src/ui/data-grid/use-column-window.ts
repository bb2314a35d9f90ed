import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { type Span, spanOf } from './column-span.ts'

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
