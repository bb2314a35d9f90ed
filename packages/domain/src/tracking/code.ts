import { type CooperativeTask, pause } from './cooperative.ts'
import { stretch } from './scan.ts'
import { switchedOff } from './switched-off.ts'

/** JavaScript, as far as it has to be understood to tell what runs from what is only said. */
export interface Code {
  /** With its comments blanked: what is found in it stands where it stood. */
  readonly text: string
  /** Whether what begins there may run: not within a string, whose opening quote is code, nor where `if (false)` stands before it. */
  isCode(index: number): boolean
}

/** Characters that may be read in vain for the ends of regular expressions, over one text. */
const patience = 1_000_000

/** After one of these a slash begins a regular expression and is no division. */
const beforeRegex =
  /[(,=:[!&|?{};*%<>~^\n]$|(?<!\+)\+$|(?<!-)-$|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do)$/

/**
 * Tells comments, strings and what `if (false)` switches off from the rest. It takes code as it comes, minified or broken,
 * in time linear in its length; what it takes a slash for is a guess where only a whole parser would know.
 */
export function* readCode(source: string): CooperativeTask<Code> {
  /** What is done of the text, and the pieces of what follows it. */
  const done: string[] = []
  let pieces: string[] = []
  /** Starts and ends of what is not run: of strings without their quotes. */
  const strings: number[] = []
  /** Depths of braces at which an expression within a template ends. */
  const templates: number[] = []
  /** Of the brackets that are open, where they began if what follows their end is a statement: `if (…)`; else -1. */
  const heads: number[] = []
  /** Behind the last bracket that ended such a head. */
  let headEnd = -1
  let kept = 0
  let depth = 0
  let wasted = 0
  let at = 0
  const off = switchedOff(source, strings)

  function blank(end: number): void {
    pieces.push(source.slice(kept, at), ' '.repeat(end - at))
    kept = at = end
  }

  function maskNonCode(start: number, end: number): void {
    if (!off.isOff()) strings.push(start, end)
  }

  const nesting = () => ({ braces: depth, brackets: heads.length })

  function lineEnd(from: number): number {
    const end = source.indexOf('\n', from)
    return end === -1 ? source.length : end
  }

  /** From behind the opening quote on. */
  function quoted(quote: string): void {
    const start = at
    while (at < source.length && source[at] !== quote && source[at] !== '\n')
      at += source[at] === '\\' ? 2 : 1
    at = Math.min(at, source.length)
    maskNonCode(start, at)
    at += 1
  }

  /** From behind the backtick, or behind the brace that ended an expression. */
  function template(): void {
    const start = at
    while (at < source.length && source[at] !== '`' && !(source[at] === '$' && source[at + 1] === '{'))
      at += source[at] === '\\' ? 2 : 1
    at = Math.min(at, source.length)
    maskNonCode(start, at)
    if (source[at] === '$') {
      templates.push(depth)
      depth += 1
      at += 2
    } else at += 1
  }

  function isAfterHead(): boolean {
    return headEnd !== -1 && at - headEnd < 100 && source.slice(headEnd, at).trim() === ''
  }

  /** @returns whether it was one */
  function regex(): boolean {
    if (wasted > patience || !(isAfterHead() || beforeRegex.test(lastOf(source, at)))) return false
    let inClass = false
    for (let end = at + 1; end < source.length && source[end] !== '\n'; end++) {
      const character = source[end]
      if (character === '\\') end += 1
      else if (character === '[') inClass = true
      else if (character === ']') inClass = false
      else if (character === '/' && !inClass) {
        maskNonCode(at + 1, end)
        at = end + 1
        return true
      }
      wasted += 1
    }
    return false
  }

  for (let rest = stretch; at < source.length; ) {
    if (at >= rest) {
      done.push(pieces.join(''))
      pieces = []
      rest = at + stretch
      yield pause
    }
    const character = source[at]
    const next = source[at + 1]
    if (character === '"' || character === "'") {
      at += 1
      quoted(character)
    } else if (character === '`') {
      at += 1
      template()
    } else if (character === '/' && next === '/') blank(lineEnd(at))
    else if (character === '/' && next === '*') {
      const end = source.indexOf('*/', at + 2)
      blank(end === -1 ? source.length : end + 2)
    } else if (character === '/') {
      if (!regex()) at += 1
    }
    // What hid scripts from the first browsers is a comment up to the end of its line.
    else if (character === '<' && source.startsWith('<!--', at)) blank(lineEnd(at))
    else if (character === '-' && source.startsWith('-->', at) && isLineStart(source, at)) blank(lineEnd(at))
    else if (character === '(') {
      const isHead =
        /[fehr\s]/.test(source[at - 1] ?? '') && head.test(source.slice(Math.max(0, at - 12), at))
      heads.push(isHead ? at : -1)
      at += 1
    } else if (character === ')') {
      at += 1
      const start = heads.pop() ?? -1
      headEnd = start === -1 ? -1 : at
      if (start !== -1) off.conditionEnds(start, at, nesting())
    } else if (character === '{') {
      depth += 1
      at += 1
    } else if (character === '}') {
      depth -= 1
      at += 1
      if (off.isOff()) off.mayEnd(at, true, nesting())
      if (templates.length > 0 && depth === templates.at(-1)) {
        templates.pop()
        template()
      }
    } else if (character === ';' || character === '\n') {
      at += 1
      if (off.isOff()) off.mayEnd(at, false, nesting())
    } else at += 1
  }
  off.atLast()
  done.push(...pieces, source.slice(kept))
  return { text: done.join(''), isCode: (index) => !within(strings, index) }
}

const head = /(?:^|[^\w$.])(?:if|while|for|with)\s{0,4}$/

/** Whether nothing but blanks stands before it in its line. */
function isLineStart(source: string, at: number): boolean {
  let end = at
  while (end > 0 && at - end < 100 && (source[end - 1] === ' ' || source[end - 1] === '\t')) end -= 1
  return end === 0 || source[end - 1] === '\n'
}

/** What stands before, up to the word or sign that decides. */
function lastOf(source: string, at: number): string {
  let end = at
  while (end > 0 && at - end < 100 && (source[end - 1] === ' ' || source[end - 1] === '\t')) end -= 1
  return end === 0 ? '\n' : source.slice(Math.max(0, end - 12), end)
}

/** @param spans starts and ends, in order */
function within(spans: readonly number[], index: number): boolean {
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
