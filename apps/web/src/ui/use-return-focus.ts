import { useEffect, useState } from 'react'

/** What opened a dialog; for an entry of a menu, which is gone by then, the menu's button. */
function findOpener(): Element | null {
  const active = document.activeElement
  const button = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : active
}

/**
 * Returns the focus when a dialog that is mounted only while it is open closes; Mantine does so only for those that stay mounted.
 * Without an opener, as after a change that removes it, the screen gets the focus.
 */
export function useReturnFocus() {
  const [opener] = useState(findOpener)
  useEffect(
    () => () => {
      // Once the dialog is gone, unless something else has taken the focus.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const target =
          opener?.isConnected && opener !== document.body ? opener : document.getElementById('main')
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
