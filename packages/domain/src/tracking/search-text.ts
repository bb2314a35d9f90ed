import { type CooperativeTask, pause } from './cooperative.ts'

/** Characters that are searched between two pauses. */
export const searchLength = 64 * 1024
/** How far a match may extend beyond its searchLength, and how far a pattern may look back. */
const [lookAhead, lookBehind] = [8 * 1024, 64]

/**
 * Searches a text for a pattern in stretches of limited length, which bounds the time between two pauses for any text.
 * @param pattern global; its matches must not be longer than 8 KiB
 * @param onMatch returns the index to continue at, or null to stop
 */
export function* searchText(
  text: string,
  pattern: RegExp,
  onMatch: (match: RegExpExecArray) => number | null,
): CooperativeTask<void> {
  let at = 0
  for (let start = 0; start < text.length; start += searchLength) {
    const end = start + searchLength
    if (at >= end) continue
    const from = Math.max(0, start - lookBehind)
    const piece = text.slice(from, end + lookAhead)
    // The pattern may have been used elsewhere since the last pause.
    pattern.lastIndex = Math.max(at, start) - from
    for (let match = pattern.exec(piece); match !== null; match = pattern.exec(piece)) {
      match.index += from
      if (match.index >= end) break
      const next = onMatch(match)
      if (next === null) return
      at = next
      pattern.lastIndex = at - from
    }
    yield pause
  }
}

/** Whether a text contains a pattern. @param pattern global */
export function* containsMatch(text: string, pattern: RegExp): CooperativeTask<boolean> {
  let found = false
  yield* searchText(text, pattern, () => {
    found = true
    return null
  })
  return found
}
