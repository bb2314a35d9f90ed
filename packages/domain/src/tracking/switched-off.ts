/** What is never so: `if (false)`, and as it is minified. */
const never = /^\s*(?:false|0|!1|!true)\s*$/
/** Characters of such a condition, and blanks behind it. */
const [longestNever, mostBlanks] = [20, 100]

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

/** @param spans gets the start and the end of each piece that is switched off */
export function switchedOff(source: string, spans: number[]): SwitchedOff {
  let off: (Nesting & { readonly from: number; readonly isBlock: boolean }) | null = null

  function end(at: number): void {
    if (off !== null) spans.push(off.from, at)
    off = null
  }

  return {
    isOff: () => off !== null,
    conditionEnds(start, behind, nesting) {
      if (off !== null || behind - start > longestNever) return
      if (!never.test(source.slice(start + 1, behind - 1))) return
      let from = behind
      while (from < source.length && from - behind < mostBlanks && /\s/.test(source[from] ?? '')) from += 1
      off = { ...nesting, from, isBlock: source[from] === '{' }
    },
    mayEnd(at, isBlock, { braces, brackets }) {
      if (off === null || at <= off.from || braces > off.braces) return
      // What it stands in has ended.
      if (braces < off.braces) end(at)
      else if (isBlock === off.isBlock && (isBlock || brackets <= off.brackets)) end(at)
    },
    atLast: () => end(source.length),
  }
}
