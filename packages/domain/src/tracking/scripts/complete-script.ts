import { tokenizer, tokTypes } from 'acorn'
import { syntaxOptions } from './syntax-tree.ts'

const closers = new Map([
  [tokTypes.braceL, '}'],
  [tokTypes.dollarBraceL, '}'],
  [tokTypes.parenL, ')'],
  [tokTypes.bracketL, ']'],
])
const closing = new Set([tokTypes.braceR, tokTypes.parenR, tokTypes.bracketR])
/** Brackets that are open where a script can be ended. */
const maxOpen = 100

/** Ends a script that was cut off: behind the last semicolon of a block, with the brackets closed that are open there. */
export function completeScript(source: string): string {
  const open: string[] = []
  let end = 0
  let ending = ''
  try {
    for (const { type, end: at } of tokenizer(source, syntaxOptions)) {
      const closer = closers.get(type)
      const isTemplateEnd = type === tokTypes.backQuote && open.at(-1) === '`'
      if (closer !== undefined) open.push(closer)
      else if (closing.has(type) || isTemplateEnd) open.pop()
      else if (type === tokTypes.backQuote) open.push('`')
      else if (type === tokTypes.semi && (open.at(-1) ?? '}') === '}' && open.length <= maxOpen) {
        end = at
        ending = open.toReversed().join('')
      }
    }
  } catch (error) {
    // It was cut off within a token.
    if (!(error instanceof SyntaxError)) throw error
  }
  return source.slice(0, end) + ending
}
