import type { CooperativeTask } from './cooperative.ts'
import { searchText } from './search-text.ts'

/** Recursive JSON parsers support some thousands. */
const maxDepth = 500

/** Returns the index after the brace that closes the one at `from`; null if there is none or nesting is too deep. */
export function* findObjectEnd(text: string, from: number): CooperativeTask<number | null> {
  let depth = 0
  let end: number | null = null
  let at = from
  yield* searchText(text, /["{}[\]]/g, ({ index, 0: sign }) => {
    if (index < at) return index + 1
    at = index + 1
    if (sign === '"') {
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
      at += 1
    } else {
      depth += sign === '{' || sign === '[' ? 1 : -1
      if (depth === 0) end = at
    }
    return end === null && depth <= maxDepth ? at : null
  })
  return end
}
