// The key, the user menu and the palette open the same dialog.
const listeners = new Set<() => void>()
let isOpen = false

export const isKeysOpen = (): boolean => isOpen

export function showKeys(shown: boolean): void {
  isOpen = shown
  for (const listener of listeners) listener()
}

export function onKeysChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
