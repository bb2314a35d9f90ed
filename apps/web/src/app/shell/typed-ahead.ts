/** What somebody typed for the palette before its field could take it. */
export interface TypedAhead {
  readonly text: string
  /** Enter was pressed behind it: what is found first is wanted. */
  readonly entered: boolean
}

interface Key {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly isComposing: boolean
  readonly getModifierState: (key: 'AltGraph') => boolean
}

const nothing: TypedAhead = { text: '', entered: false }

/** @returns null where the key is not one that writes */
export function withKey(typed: TypedAhead, event: Key): TypedAhead | null {
  const { key } = event
  const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  if (isShortcut || event.isComposing) return null
  // What follows Enter is meant for what Enter opens, which is not there yet.
  if (key === 'Enter') return { ...typed, entered: true }
  if (key === 'Backspace')
    return typed.entered ? typed : { ...typed, text: [...typed.text].slice(0, -1).join('') }
  if ([...key].length !== 1) return null
  return typed.entered ? typed : { ...typed, text: typed.text + key }
}

let typed: TypedAhead | null = null

function onKey(event: KeyboardEvent) {
  if (typed === null) return
  const next = withKey(typed, event)
  if (next === null) return
  typed = next
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Keeps every key that writes, whatever has the focus, until `takeTyped` or `dropTyped`. */
export function gatherTyped() {
  if (typed !== null) return
  typed = nothing
  // Before anything on the page, and whoever clicks elsewhere writes there.
  addEventListener('keydown', onKey, { capture: true })
  addEventListener('pointerdown', dropTyped, { capture: true })
}

/** Ends the gathering: from here on the field hears the keys itself. */
export function takeTyped(): TypedAhead {
  const taken = typed ?? nothing
  dropTyped()
  return taken
}

export function dropTyped() {
  typed = null
  removeEventListener('keydown', onKey, { capture: true })
  removeEventListener('pointerdown', dropTyped, { capture: true })
}
