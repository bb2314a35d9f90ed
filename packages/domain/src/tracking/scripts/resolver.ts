import type { AnyNode, Program } from 'acorn'
import { createNames } from './names.ts'
import { readScopes, type Scope, type Scopes, type Write } from './scopes.ts'
import type { ScriptValue } from './script-facts.ts'
import { createValues } from './values.ts'

/** Finds what expressions name and are worth. */
export interface Resolver {
  readonly scopes: Scopes
  /** What is written to properties and undeclared variables, by their paths from the global object. */
  readonly properties: ReadonlyMap<string, readonly Write[]>
  /**
   * The paths from the global object that an expression may stand for: `fbq` for `window['fbq']` and its aliases, '' for the
   * global object, `*.push` for a property of an unknown object. Empty if it is something else.
   */
  readonly names: (node: AnyNode, scope: Scope) => readonly string[]
  readonly value: (node: AnyNode, scope: Scope) => ScriptValue
  /** Whether an expression is true whenever it is evaluated; undefined if that is not known. */
  readonly truth: (node: AnyNode, scope: Scope) => boolean | undefined
}

/** A script that needs more is an attack. */
const maxSteps = 3_000_000
const maxDepth = 120
const maxWritesPerProperty = 8

/** What a script needs to resolve exceeds any limit of an honest one. */
export class TooComplexError extends Error {}

export function createResolver(root: Program): Resolver {
  const scopes = readScopes(root)
  const properties = new Map<string, Write[]>()
  let steps = 0
  let depth = 0
  /** Runs one step of a recursion; `otherwise` if it is too deep. */
  function guard<T>(otherwise: T, step: () => T): T {
    steps += 1
    if (steps > maxSteps) throw new TooComplexError()
    if (depth >= maxDepth) return otherwise
    depth += 1
    try {
      return step()
    } finally {
      depth -= 1
    }
  }
  const names = createNames({
    scopes,
    properties,
    value: (node, scope) => values.value(node, scope),
    guard,
  })
  const values = createValues({ scopes, properties, names: names.of, guard })
  for (const { target, write } of scopes.otherWrites)
    for (const name of names.of(target, write.scope)) {
      if (name === '' || name.startsWith('*')) continue
      const writes = properties.get(name) ?? []
      properties.set(name, writes)
      if (writes.length < maxWritesPerProperty) writes.push(write)
    }
  // What was resolved before all properties were known may be incomplete.
  names.forget()
  values.forget()
  return { scopes, properties, names: names.of, value: values.value, truth: values.truth }
}

/** What names and values need of each other. */
export type Guard = <T>(otherwise: T, step: () => T) => T
