import { type CooperativeTask, pause } from './cooperative.ts'
import { trackDeadCode } from './dead-code.ts'
import { searchLength } from './search-text.ts'

/** JavaScript whose running code is told apart from comments, strings and dead code. */
export interface ParsedCode {
  /** The source with comments replaced by spaces, so that indexes stay the same. */
  readonly text: string
  /** Whether the text at the index may run. False within strings, except their opening quotes, and after `if (false)`. */
  isExecutable(index: number): boolean
}

/** Characters per source that may be searched for the ends of regular expressions without success. */
const maxRegexLookahead = 1_000_000

/** After one of these, a slash starts a regular expression rather than a division. */
const regexPrefix =
  /[(,=:[!&|?{};*%<>~^\n]$|(?<!\+)\+$|(?<!-)-$|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do)$/

/**
 * Finds comments, strings and dead code (`if (false)`) in time linear in the length, also in minified or invalid code.
 * Whether a slash starts a regular expression is a guess where only a full parser could tell.
 */
export function* parseCode(source: string): CooperativeTask<ParsedCode> {
  /** Joined text up to the last pause, and the pieces since then. */
  const chunks: string[] = []
  let pieces: string[] = []
  /** Starts and ends of dead code, and of strings without their quotes. */
  const nonCode: number[] = []
  /** Brace depths at which the expressions of open templates end. */
  const templateDepths: number[] = []
  /** For each open bracket: its index if a statement follows it, as in `if (…)`; otherwise -1. */
  const conditionStarts: number[] = []
  /** The index after the last such bracket. */
  let conditionEnd = -1
  let copiedTo = 0
  let depth = 0
  let lookahead = 0
  let at = 0
  const deadCode = trackDeadCode(source, nonCode)

  function blank(end: number): void {
    pieces.push(source.slice(copiedTo, at), ' '.repeat(end - at))
    copiedTo = at = end
  }

  function addNonCode(start: number, end: number): void {
    if (!deadCode.isDead()) nonCode.push(start, end)
  }

  const nesting = () => ({ braces: depth, brackets: conditionStarts.length })

  function findLineEnd(from: number): number {
    const end = source.indexOf('\n', from)
    return end === -1 ? source.length : end
  }

  /** Starts after the opening quote. */
  function skipString(quote: string): void {
    const start = at
    while (at < source.length && source[at] !== quote && source[at] !== '\n')
      at += source[at] === '\\' ? 2 : 1
    at = Math.min(at, source.length)
    addNonCode(start, at)
    at += 1
  }

  /** Starts after the backtick, or after the brace that ended an expression. */
  function skipTemplate(): void {
    const start = at
    while (at < source.length && source[at] !== '`' && !(source[at] === '$' && source[at + 1] === '{'))
      at += source[at] === '\\' ? 2 : 1
    at = Math.min(at, source.length)
    addNonCode(start, at)
    if (source[at] === '$') {
      templateDepths.push(depth)
      depth += 1
      at += 2
    } else at += 1
  }

  function isAfterCondition(): boolean {
    return conditionEnd !== -1 && at - conditionEnd < 100 && source.slice(conditionEnd, at).trim() === ''
  }

  /** Returns false if the slash does not start a regular expression. */
  function skipRegex(): boolean {
    if (lookahead > maxRegexLookahead || !(isAfterCondition() || regexPrefix.test(precedingText(source, at))))
      return false
    let inClass = false
    for (let end = at + 1; end < source.length && source[end] !== '\n'; end++) {
      const character = source[end]
      if (character === '\\') end += 1
      else if (character === '[') inClass = true
      else if (character === ']') inClass = false
      else if (character === '/' && !inClass) {
        addNonCode(at + 1, end)
        at = end + 1
        return true
      }
      lookahead += 1
    }
    return false
  }

  for (let pauseAt = searchLength; at < source.length; ) {
    if (at >= pauseAt) {
      chunks.push(pieces.join(''))
      pieces = []
      pauseAt = at + searchLength
      yield pause
    }
    const character = source[at]
    const next = source[at + 1]
    if (character === '"' || character === "'") {
      at += 1
      skipString(character)
    } else if (character === '`') {
      at += 1
      skipTemplate()
    } else if (character === '/' && next === '/') blank(findLineEnd(at))
    else if (character === '/' && next === '*') {
      const end = source.indexOf('*/', at + 2)
      blank(end === -1 ? source.length : end + 2)
    } else if (character === '/') {
      if (!skipRegex()) at += 1
    }
    // HTML comments in scripts end with their line.
    else if (character === '<' && source.startsWith('<!--', at)) blank(findLineEnd(at))
    else if (character === '-' && source.startsWith('-->', at) && isLineStart(source, at))
      blank(findLineEnd(at))
    else if (character === '(') {
      const isCondition =
        /[fehr\s]/.test(source[at - 1] ?? '') && conditionPrefix.test(source.slice(Math.max(0, at - 12), at))
      conditionStarts.push(isCondition ? at : -1)
      at += 1
    } else if (character === ')') {
      at += 1
      const start = conditionStarts.pop() ?? -1
      conditionEnd = start === -1 ? -1 : at
      if (start !== -1) deadCode.endCondition(start, at, nesting())
    } else if (character === '{') {
      depth += 1
      at += 1
    } else if (character === '}') {
      depth -= 1
      at += 1
      if (deadCode.isDead()) deadCode.endStatement(at, true, nesting())
      if (templateDepths.length > 0 && depth === templateDepths.at(-1)) {
        templateDepths.pop()
        skipTemplate()
      }
    } else if (character === ';' || character === '\n') {
      at += 1
      if (deadCode.isDead()) deadCode.endStatement(at, false, nesting())
    } else at += 1
  }
  deadCode.finish()
  chunks.push(...pieces, source.slice(copiedTo))
  return { text: chunks.join(''), isExecutable: (index) => !isInSpans(nonCode, index) }
}

const conditionPrefix = /(?:^|[^\w$.])(?:if|while|for|with)\s{0,4}$/

/** Whether only spaces and tabs precede the index in its line. */
function isLineStart(source: string, at: number): boolean {
  let end = at
  while (end > 0 && at - end < 100 && (source[end - 1] === ' ' || source[end - 1] === '\t')) end -= 1
  return end === 0 || source[end - 1] === '\n'
}

/** Returns the last characters before the index, without trailing spaces. */
function precedingText(source: string, at: number): string {
  let end = at
  while (end > 0 && at - end < 100 && (source[end - 1] === ' ' || source[end - 1] === '\t')) end -= 1
  return end === 0 ? '\n' : source.slice(Math.max(0, end - 12), end)
}

/** @param spans sorted starts and ends */
function isInSpans(spans: readonly number[], index: number): boolean {
  let low = 0
  let high = spans.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle * 2 + 1] ?? 0) <= index) low = middle + 1
    else high = middle
  }
  const start = spans[low * 2]
  return start !== undefined && start <= index
}
