/** Marks what takes the focus of something beside it that disappears: an element, or one around a single tab stop. */
const fallback = '[data-focus-fallback]'
/** Marks an element that moves the focus itself when it disappears. */
const moving = '[data-moves-focus]'
const overlay = 'dialog, [role=dialog], [role=menu]'
/** Whatever removed the element may move the focus itself. */
const graceMs = 50

/** A focused element, and where it stood in each of its ancestors. */
interface Place {
  readonly element: HTMLElement
  readonly ancestors: readonly { readonly parent: Element; readonly index: number }[]
}

function placeOf(element: HTMLElement): Place {
  const ancestors: { parent: Element; index: number }[] = []
  let child: Element = element
  while (child.parentElement !== null) {
    const parent = child.parentElement
    ancestors.push({ parent, index: [...parent.children].indexOf(child) })
    child = parent
  }
  return { element, ancestors }
}

const canHoldFocus = (element: Element) => element.isConnected && !element.matches(':disabled')

/** The fallback in this element; the screen is one as a whole. */
function fallbackIn(element: Element): HTMLElement | null {
  const marked = element.matches(fallback) ? element : element.querySelector(`#main, ${fallback}`)
  if (!(marked instanceof HTMLElement)) return null
  return marked.tabIndex >= 0 || marked.hasAttribute('tabindex')
    ? marked
    : marked.querySelector<HTMLElement>('[tabindex="0"]')
}

/** The nearest fallback, or an ancestor that can be focused. What followed the element comes before what it followed. */
function findNearest({ ancestors }: Place): HTMLElement | null {
  for (const { parent, index } of ancestors) {
    if (!parent.isConnected) continue
    const children = [...parent.children]
    for (const child of [...children.slice(index), ...children.slice(0, index).reverse(), parent]) {
      const found = fallbackIn(child)
      if (found !== null && canHoldFocus(found) && found.checkVisibility()) return found
    }
    if (parent instanceof HTMLElement && parent.hasAttribute('tabindex')) return parent
  }
  return null
}

/**
 * Keeps the place of those who use the keyboard: if the focused element disappears, the focus moves on to the nearest fallback
 * instead of the page's beginning, and if it is disabled while its work runs, it gets the focus back.
 */
export function restoreLostFocus(): void {
  let last: Place | undefined
  /** Where the focus was before a dialog or a menu. */
  let outside: Place | undefined
  let isLost = false
  let usesPointer = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function restore() {
    timer = undefined
    const { activeElement } = document
    if (last === undefined || (activeElement !== document.body && activeElement !== last.element)) return
    const isInClosedOverlay = !last.element.isConnected && last.element.closest(overlay) !== null
    const place = (isInClosedOverlay && outside) || last
    const { element } = place
    if (element.matches(moving) || (element.isConnected && element.matches('[data-loading]'))) return
    const target = canHoldFocus(element) ? element : findNearest(place)
    target?.focus({ preventScroll: target.id === 'main' })
  }

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    last = placeOf(target)
    if (target.closest(overlay) === null) outside = last
    isLost = false
  })
  function onInput({ type }: Event) {
    usesPointer = type !== 'keydown'
  }
  for (const type of ['pointerdown', 'wheel', 'keydown'])
    addEventListener(type, onInput, { capture: true, passive: true })
  new MutationObserver(() => {
    if (last === undefined || usesPointer || timer !== undefined) return
    if (!canHoldFocus(last.element)) isLost = true
    if (isLost) timer = setTimeout(restore, graceMs)
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['disabled', 'data-loading'] })
}
