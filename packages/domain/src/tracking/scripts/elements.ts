import type { AnyNode, CallExpression } from 'acorn'
import type { Resolver } from './resolver.ts'
import { lookUp, type Scope } from './scopes.ts'
import {
  fieldsOf,
  type NamedValue,
  type ScriptLoad,
  type ScriptValue,
  startsOf,
  textsOf,
} from './script-facts.ts'
import { staticKey } from './syntax-tree.ts'
import { isWatchedAttribute } from './watched.ts'

type Kind = ScriptLoad['element']

const maxLoads = 500
const maxDepth = 20
/** An address, absolute or relative, rather than any text. */
const address = /^(?:(?:https?:)?\/\/|\/(?!\/)|\.\.?\/)[^"'`\s]{1,2000}$/
/** jQuery's function adds a script; the others only send or receive. */
const scriptRequest = /^(?:\$|jQuery)\.getScript$/
const otherRequest = /^(?:fetch|navigator\.sendBeacon)$/

/** Finds which elements a script creates, and what it loads by them. */
export function createElements({ names, value }: Resolver) {
  let createsScripts = false

  function kindOf(node: AnyNode, scope: Scope, depth = 0): Kind {
    if (depth > maxDepth) return 'unknown'
    if (node.type === 'AssignmentExpression') return kindOf(node.right, scope, depth + 1)
    if (node.type === 'NewExpression')
      return names(node.callee, scope).some((name) => name === 'Image' || name === 'Audio')
        ? 'other'
        : 'unknown'
    if (node.type === 'CallExpression') return createdBy(node, scope)
    if (node.type !== 'Identifier') return 'unknown'
    const kinds = (lookUp(scope, node.name)?.writes ?? []).map((write) =>
      write.node === null || write.path.length > 0 ? 'unknown' : kindOf(write.node, write.scope, depth + 1),
    )
    return kinds.find((kind) => kind === 'script') ?? kinds.find((kind) => kind !== 'unknown') ?? 'unknown'
  }

  function createdBy({ callee, arguments: args }: CallExpression, scope: Scope): Kind {
    if (callee.type !== 'MemberExpression') return 'unknown'
    const method = staticKey(callee.property, callee.computed)
    if (method !== 'createElement' && method !== 'createElementNS') return 'unknown'
    const tag = args[method === 'createElement' ? 0 : 1]
    const tags = tag ? textsOf(value(tag, scope)) : []
    if (tags.length === 0) return 'unknown'
    return tags.some((one) => one.toLowerCase() === 'script') ? 'script' : 'other'
  }

  function addLoad(loads: ScriptLoad[], { start, end }: AnyNode, source: ScriptValue, element: Kind): void {
    for (const { text, isWhole } of startsOf(source))
      if (address.test(text) && loads.length < maxLoads)
        loads.push({ text, isWhole, isJoined: false, element, start, end })
  }

  return {
    kindOf,
    addLoad,
    isRequest: (name: string): boolean => scriptRequest.test(name) || otherRequest.test(name),
    addRequest(loads: ScriptLoad[], node: AnyNode, name: string, source: ScriptValue | undefined): void {
      if (source !== undefined) addLoad(loads, node, source, scriptRequest.test(name) ? 'script' : 'other')
    },
    /** `Object.assign(document.createElement('script'), { src: … })`. */
    addAssigned(
      facts: { readonly loads: ScriptLoad[]; readonly attributes: NamedValue[] },
      node: CallExpression,
      scope: Scope,
    ): void {
      const [target, source] = node.arguments
      const kind = target ? kindOf(target, scope) : 'unknown'
      if (kind === 'unknown' || !source) return
      const fields = value(source, scope)
      for (const src of fieldsOf(fields, 'src')) addLoad(facts.loads, node, src, kind)
      const { start, end } = node
      for (const name of ['id', 'data-settings-id', 'data-ruleset-id'].filter(isWatchedAttribute))
        for (const field of fieldsOf(fields, name)) facts.attributes.push({ name, value: field, start, end })
    },
    /** Notes that the script adds scripts, so that an element that is not known may be one. */
    noteCreated(node: CallExpression, scope: Scope): void {
      const kind = createdBy(node, scope)
      const { callee } = node
      const isCreation =
        callee.type === 'MemberExpression' && staticKey(callee.property, callee.computed) === 'createElement'
      if (isCreation && kind !== 'other') createsScripts = true
    },
    finish: (loads: readonly ScriptLoad[]): ScriptLoad[] =>
      loads.map((load) =>
        load.element === 'unknown' && !createsScripts ? { ...load, element: 'other' } : load,
      ),
  }
}
