import type { Code } from './code.ts'
import type { CooperativeTask } from './cooperative.ts'
import { scan } from './scan.ts'

/** What names are given in code: texts and numbers as they are, and where objects begin. */
export interface Given {
  readonly texts: ReadonlyMap<string, string>
  /** Indexes behind the opening brace. */
  readonly objects: ReadonlyMap<string, number>
}

/** Of one script; one with more is no page's but an attack. */
const mostGiven = 20_000

const assignment =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,20}=\s{0,20}(?:(["'`])([^"'`$\n]{1,200})\2|(\d{1,20})\b|(\{)|(?=\(+["']https:))/g
/** How addresses were written while pages came in two ways: `(("https:" == …protocol) ? "https" : "http") + "://host/"`. */
const bothWays =
  /\(\(?["']https:["']\s?={2,3}\s?[\w.]{5,50}\)?\s?\?\s?["']https(:\/\/[^"']{1,200})?["']\s?:\s?["']http[^"']{0,200}["']\s?\)?(?:\s?\+\s?["'](:\/\/[^"']{1,200})["'])?/y

/** All of it in one pass over the code; the first thing that a name is given counts. */
export function* givenIn({ text, isCode }: Code): CooperativeTask<Given> {
  const texts = new Map<string, string>()
  const objects = new Map<string, number>()
  let count = 0
  yield* scan(text, assignment, (match) => {
    const [all, name = '', , quoted, number, brace] = match
    const end = match.index + all.length
    if (isCode(match.index)) {
      const literal = quoted ?? number ?? (brace === undefined ? secureAt(text, end) : undefined)
      if (literal !== undefined && !texts.has(name)) texts.set(name, literal)
      if (brace !== undefined && !objects.has(name)) objects.set(name, end)
    }
    count += 1
    return count < mostGiven ? end : null
  })
  return { texts, objects }
}

function secureAt(text: string, index: number): string | undefined {
  bothWays.lastIndex = text[index] === '(' && text[index + 2] === '(' ? index + 1 : index
  const match = bothWays.exec(text)
  const rest = match?.[1] ?? match?.[2]
  return rest === undefined ? undefined : `https${rest}`
}
