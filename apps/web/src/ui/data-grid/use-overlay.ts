import { useCallback, useRef, useState } from 'react'

/** A menu or popover that is mounted only while it is open, and therefore cannot restore the focus itself. */
export function useOverlay<Content>() {
  const [content, setContent] = useState<Content | null>(null)
  const opener = useRef<Element>(null)
  const open = useCallback((next: Content) => {
    opener.current = document.activeElement
    setContent(next)
  }, [])
  const close = useCallback(() => {
    setContent(null)
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }, [])
  return { content, open, close }
}
