import { useCallback, useRef } from 'react'

/** Menus and popovers that are mounted only while they are open cannot give the focus back themselves. */
export function useFocusBack() {
  const kept = useRef<Element | null>(null)
  const keepFocus = useCallback(() => {
    kept.current = document.activeElement
  }, [])
  const giveFocusBack = useCallback(() => {
    if (kept.current instanceof HTMLElement) kept.current.focus({ preventScroll: true })
  }, [])
  return { keepFocus, giveFocusBack }
}
