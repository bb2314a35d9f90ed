import { type CooperativeTask, pause } from './cooperative.ts'

/** Characters that are gone through between two pauses. */
export const stretch = 64 * 1024
/** How far what begins in a stretch may reach beyond it, and how far a pattern may look back. */
const [lookAhead, before] = [8 * 1024, 64]

/**
 * Looks through a text for a pattern, stretch by stretch: no pattern has more of it at once, so that what one costs is
 * bounded whatever the text is.
 * @param pattern global; nothing that it finds may be longer than 8 KiB
 * @param meet is told where it begins, and says where to go on; null ends it
 */
export function* scan(
  text: string,
  pattern: RegExp,
  meet: (match: RegExpExecArray) => number | null,
): CooperativeTask<void> {
  let at = 0
  for (let start = 0; start < text.length; start += stretch) {
    const end = start + stretch
    if (at >= end) continue
    const from = Math.max(0, start - before)
    const piece = text.slice(from, end + lookAhead)
    // Others have used the pattern since.
    pattern.lastIndex = Math.max(at, start) - from
    for (let match = pattern.exec(piece); match !== null; match = pattern.exec(piece)) {
      match.index += from
      if (match.index >= end) break
      const next = meet(match)
      if (next === null) return
      at = next
      pattern.lastIndex = at - from
    }
    yield pause
  }
}

/** Whether a pattern is anywhere in a text. @param pattern global */
export function* has(text: string, pattern: RegExp): CooperativeTask<boolean> {
  let found = false
  yield* scan(text, pattern, () => {
    found = true
    return null
  })
  return found
}
