import { useEffect, useEffectEvent } from 'react'

const isInOverlay = (target: EventTarget | null) =>
  document.querySelector('[aria-modal="true"]') !== null ||
  (target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null)

/** Nobody types into these inputs. */
const boxes = '[type=checkbox], [type=radio]'

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches(`input:not(${boxes}), textarea, select`))

/**
 * Runs `work` when a key is pressed anywhere on the screen, except while the user types or a dialog or a menu is open.
 * @param key the character, however the keyboard's layout makes it
 */
export function usePlainKey(key: string, work: () => void): void {
  const run = useEffectEvent(work)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isPlain = event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isPlain || event.defaultPrevented || isField(event.target) || isInOverlay(event.target)) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}
