import { collectFacts } from './collect-facts.ts'
import { completeScript } from './complete-script.ts'
import { createResolver, TooComplexError } from './resolver.ts'
import { emptyFacts, type ScriptFacts } from './script-facts.ts'
import { parseScript } from './syntax-tree.ts'

export interface ScriptSource {
  readonly text: string
  /** Whether its end is missing. */
  readonly isCut: boolean
}

/**
 * Reads a script without running it. A script that is not JavaScript does not run in browsers either and has no facts.
 * @returns null if it is too complex to be read
 */
export function readScript({ text, isCut }: ScriptSource): ScriptFacts | null {
  try {
    const root = parseScript(isCut ? completeScript(text) : text)
    return root === null ? emptyFacts : collectFacts(root, createResolver(root))
  } catch (error) {
    // A RangeError is a stack overflow: the script is nested too deeply.
    if (error instanceof RangeError || error instanceof TooComplexError) return null
    throw error
  }
}
