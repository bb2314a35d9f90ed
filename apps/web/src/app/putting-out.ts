const listeners = new Set<() => void>()

/** Runs before somebody is led away from a screen that they may see no more. @returns how to end it */
export function onPutOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** No question is asked there: forms keep what is not saved. */
export function putOut() {
  for (const listener of listeners) listener()
}
