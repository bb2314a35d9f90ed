import type { Ref } from 'react'

/** A place in the window that a menu or popover hangs from, in pixels. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Where an element stands now. */
export function placeOf(element: Element): Place {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { left, top, width, height }
}

/** Lets one menu serve all rows and one popover all columns: nothing hangs on each of them before it opens. */
export function Anchor({ place, ref, ...rest }: { place: Place; ref?: Ref<HTMLSpanElement> }) {
  return (
    <span
      {...rest}
      ref={ref}
      aria-hidden="true"
      style={{ position: 'fixed', pointerEvents: 'none', visibility: 'hidden', ...place }}
    />
  )
}
