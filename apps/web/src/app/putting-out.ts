/** @returns whether it had something to keep */
type Listener = () => boolean

const listeners = new Set<Listener>()

/** Runs before somebody is led away from a screen that they may see no more. @returns how to end it */
export function onPutOut(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** No question is asked there: forms keep what is not saved. @returns whether any had to */
export const putOut = (): boolean => [...listeners].map((listener) => listener()).includes(true)
