/** What such a condition belongs to; `with (0)` and `for (…)` do not ask. */
const asks = /(?:^|[^\w$.])(if|while)\s{0,4}$/
/** What is never so: `if (false)`, and as it is minified. */
const never = /^\s*(?:false|0|!1|!true)\s*$/
/** Statements that end with a block of their own, unlike the braces of an object or of a function that is called. */
const holdsBlock = /(?:(?:if|for|while|do|try|switch|with|function|class)(?![\w$])|[\w$]{1,40}\s{0,4}:)/y
/** Where there is one, a `while (0)` may be its end, and what follows runs. */
const aDo = /(?<![\w$.])do(?![\w$])/
/** Characters of such a condition, and blanks and comments behind it. */
const [longestNever, mostBlanks] = [20, 500]

/** How many braces and brackets are open. */
interface Nesting {
  readonly braces: number
  readonly brackets: number
}

/** Whether code is switched off where a reader has come to, by a condition that is never true. */
export interface SwitchedOff {
  isOff(): boolean
  /** A condition ended. */
  conditionEnds(start: number, end: number, nesting: Nesting): void
  /** A statement or a block may have ended before `at`. */
  mayEnd(at: number, isBlock: boolean, nesting: Nesting): void
  atLast(): void
}

/**
 * When in doubt, code runs: what is found in it too many is looked at, what is missed is not.
 * @param spans gets the start and the end of each piece that is switched off
 */
export function switchedOff(source: string, spans: number[]): SwitchedOff {
  let off: (Nesting & { readonly from: number; readonly endsAt: 'block' | 'end' | 'either' }) | null = null
  let hasDo: boolean | undefined

  function end(at: number): void {
    if (off !== null) spans.push(off.from, at)
    off = null
  }

  function isHead(start: number): boolean {
    const [, word] = asks.exec(source.slice(Math.max(0, start - 12), start)) ?? []
    if (word === 'while') hasDo ??= aDo.test(source)
    return word === 'if' || (word === 'while' && hasDo === false)
  }

  return {
    isOff: () => off !== null,
    conditionEnds(start, behind, nesting) {
      if (off !== null || behind - start > longestNever) return
      if (!never.test(source.slice(start + 1, behind - 1)) || !isHead(start)) return
      const from = statementAfter(source, behind)
      holdsBlock.lastIndex = from
      const endsAt = source[from] === '{' ? 'block' : holdsBlock.test(source) ? 'either' : 'end'
      off = { ...nesting, from, endsAt }
    },
    mayEnd(at, isBlock, { braces, brackets }) {
      if (off === null || at <= off.from || braces > off.braces) return
      // What it stands in has ended.
      if (braces < off.braces) end(at)
      else if (off.endsAt === 'block') {
        if (isBlock) end(at)
      } else if (brackets <= off.brackets && (!isBlock || off.endsAt === 'either')) end(at)
    },
    atLast: () => end(source.length),
  }
}

/** Where what follows begins, behind blanks and comments, if they are not too long. */
function statementAfter(source: string, behind: number): number {
  const blanks = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(source.slice(behind, behind + mostBlanks))
  return behind + (blanks?.[0].length ?? 0)
}
