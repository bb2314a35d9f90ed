import { type MouseEvent, useCallback, useEffect, useState } from 'react'
import { loadDelayMs } from '../../platform/load-code.ts'

/**
 * A button whose menu is loaded after the first screen.
 * @param preload begins to load the menu; the same function on every render
 * @returns the button's properties, and the button while its menu is open
 */
export function useDeferredMenu(preload: () => unknown) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const timer = setTimeout(preload, loadDelayMs)
    return () => clearTimeout(timer)
  }, [preload])
  const close = useCallback(() => {
    setTarget(null)
    target?.focus({ preventScroll: true })
  }, [target])
  const button = {
    'aria-haspopup': 'menu',
    'aria-expanded': target !== null,
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => (target ? close() : setTarget(currentTarget)),
  } as const
  return { target, close, button }
}
