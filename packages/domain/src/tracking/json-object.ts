import type { CooperativeTask } from './cooperative.ts'
import { scan } from './scan.ts'

/** Levels of nesting; what reads JSON by calling itself bears some thousands. */
const deepest = 500

/** Behind the brace that closes the one at `from`; null where none does, or what lies between is nested too deeply. */
export function* objectEnd(text: string, from: number): CooperativeTask<number | null> {
  let depth = 0
  let end: number | null = null
  let at = from
  yield* scan(text, /["{}[\]]/g, ({ index, 0: sign }) => {
    if (index < at) return index + 1
    at = index + 1
    if (sign === '"') {
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
      at += 1
    } else {
      depth += sign === '{' || sign === '[' ? 1 : -1
      if (depth === 0) end = at
    }
    return end === null && depth <= deepest ? at : null
  })
  return end
}
