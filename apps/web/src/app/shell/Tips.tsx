import { Tooltip } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'

interface Tip {
  readonly element: HTMLElement
  readonly text: string
}

const delayMs = 300

/** The tooltip of whatever in the shell has a `data-shell-tip` and the pointer or the focus. */
export default function Tips({ shell }: { readonly shell: RefObject<HTMLElement | null> }) {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => {
    let timer: number | undefined
    const lifetime = new AbortController()
    const show = ({ type, target }: Event) => {
      window.clearTimeout(timer)
      const element = target instanceof Element ? target.closest<HTMLElement>('[data-shell-tip]') : null
      const text = element?.dataset.shellTip
      if (!element || !text || (type === 'focusin' && !element.matches(':focus-visible'))) return setTip(null)
      timer = window.setTimeout(() => setTip({ element, text }), delayMs)
    }
    for (const event of ['pointerover', 'pointerleave', 'focusin', 'focusout', 'click'])
      shell.current?.addEventListener(event, event === 'pointerover' || event === 'focusin' ? show : hide, {
        signal: lifetime.signal,
      })
    function hide() {
      window.clearTimeout(timer)
      setTip(null)
    }
    return () => {
      lifetime.abort()
      window.clearTimeout(timer)
    }
  }, [shell])
  if (!tip?.element.isConnected) return null
  return (
    <Tooltip
      key={tip.text}
      target={tip.element}
      label={tip.text}
      opened
      withinPortal={false}
      position={tip.element.closest('nav') ? 'right' : 'bottom'}
    />
  )
}
