import type { Ref } from 'react'

export type AnchorRect = Readonly<Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>>

export function measureAnchor(element: Element): AnchorRect {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { left, top, width, height }
}

/** The target of the menu shared by all rows, and of the popover shared by all columns. */
export function OverlayAnchor({ rect, ref, ...rest }: { rect: AnchorRect; ref?: Ref<HTMLSpanElement> }) {
  return (
    <span
      {...rest}
      ref={ref}
      aria-hidden="true"
      style={{ position: 'fixed', pointerEvents: 'none', visibility: 'hidden', ...rect }}
    />
  )
}
