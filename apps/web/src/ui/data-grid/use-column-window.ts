import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { type Span, spanOf } from './column-span.ts'

/**
 * The columns within the scroller; others are not rendered.
 * @param widths in pixels; must be the same array on every render
 */
export function useColumnWindow(scroller: RefObject<HTMLElement | null>, widths: readonly number[]): Span {
  // Stored on scroll and resize, because reading it during a render would force a layout.
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
