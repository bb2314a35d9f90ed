/** What the shown notifications offer to undo, oldest first, by their ids. */
export const undos = new Map<string, () => void>()

/** The key for the latest of them. */
export const undoKey = 'z'

export const undoLatest = () => [...undos.values()].at(-1)?.()
