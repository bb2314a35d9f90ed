import type { CooperativeTask } from './cooperative.ts'
import type { ParsedCode } from './parse-code.ts'
import { searchText } from './search-text.ts'

/** Values that code assigns to variables: strings and numbers, and where objects start. */
export interface Assignments {
  readonly texts: ReadonlyMap<string, string>
  /** Indexes after the opening brace. */
  readonly objects: ReadonlyMap<string, number>
}

/** Per script; only a malicious one has more. */
const maxAssignments = 20_000

const assignment =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,20}=\s{0,20}(?:(["'`])([^"'`$\n]{1,200})\2|(\d{1,20})\b|(\{)|(?=\(+["']https:))/g
/** How code chose between HTTP and HTTPS: `(("https:" == …protocol) ? "https" : "http") + "://host/"`. */
const schemeChoice =
  /\(\(?["']https:["']\s?={2,3}\s?[\w.]{5,50}\)?\s?\?\s?["']https(:\/\/[^"']{1,200})?["']\s?:\s?["']http[^"']{0,200}["']\s?\)?(?:\s?\+\s?["'](:\/\/[^"']{1,200})["'])?/y

/** Reads all assignments in one pass. The first one of a variable counts. */
export function* readAssignments({ text, isExecutable }: ParsedCode): CooperativeTask<Assignments> {
  const texts = new Map<string, string>()
  const objects = new Map<string, number>()
  let count = 0
  yield* searchText(text, assignment, (match) => {
    const [all, name = '', , quoted, number, brace] = match
    const end = match.index + all.length
    if (isExecutable(match.index)) {
      const literal = quoted ?? number ?? (brace === undefined ? readHttpsUrl(text, end) : undefined)
      if (literal !== undefined && !texts.has(name)) texts.set(name, literal)
      if (brace !== undefined && !objects.has(name)) objects.set(name, end)
    }
    count += 1
    return count < maxAssignments ? end : null
  })
  return { texts, objects }
}

function readHttpsUrl(text: string, index: number): string | undefined {
  schemeChoice.lastIndex = text[index] === '(' && text[index + 2] === '(' ? index + 1 : index
  const match = schemeChoice.exec(text)
  const rest = match?.[1] ?? match?.[2]
  return rest === undefined ? undefined : `https${rest}`
}
