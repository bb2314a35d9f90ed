import type { AnyNode, MemberExpression } from 'acorn'
import type { Guard, Resolver } from './resolver.ts'
import { type Binding, lookUp, type Scope, type Write } from './scopes.ts'
import { textsOf } from './script-facts.ts'
import { eachChild, type FunctionNode, isFunction, returnedBy, staticKey } from './syntax-tree.ts'

type Needs = Pick<Resolver, 'scopes' | 'properties' | 'value'> & { readonly guard: Guard }

/** Names of the global object. */
const globals = new Set(['window', 'self', 'globalThis', 'document.defaultView'])
const maxNames = 8
/** Characters of a function that may hand its arguments on. */
const maxForwarderLength = 2_000
/** Google's commands are arguments that a function pushes to a list of this kind of name. */
const dataLayer = /layer$/i

/** Resolves expressions to paths from the global object ({@link Resolver.names}). */
export function createNames({ scopes, properties, value, guard }: Needs) {
  const known = new Map<Binding | string | FunctionNode, readonly string[]>()

  /** What is being resolved already, as in `var a = a || []`, stands for itself. */
  function remember(key: Binding | string | FunctionNode, own: string[], find: () => Iterable<string>) {
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, own)
    const all = [...new Set(find())].slice(0, maxNames)
    known.set(key, all)
    return all
  }

  const of = (node: AnyNode, scope: Scope): readonly string[] => guard([], () => find(node, scope))

  function find(node: AnyNode, scope: Scope): readonly string[] {
    switch (node.type) {
      case 'Identifier': {
        const binding = lookUp(scope, node.name)
        return binding === undefined ? ofPath(node.name) : ofBinding(binding)
      }
      case 'ThisExpression':
        return isTopLevel(scope) ? [''] : []
      case 'MemberExpression':
        return ofMember(node, scope)
      case 'ChainExpression':
        return of(node.expression, scope)
      case 'AssignmentExpression':
        return [...of(node.left, scope), ...of(node.right, scope)]
      case 'LogicalExpression':
        return [...of(node.left, scope), ...of(node.right, scope)]
      case 'ConditionalExpression':
        return [...of(node.consequent, scope), ...of(node.alternate, scope)]
      case 'SequenceExpression':
        return ofOptional(node.expressions.at(-1), scope)
      case 'CallExpression':
        return ofCall(node.callee, scope)
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ArrowFunctionExpression':
        return forwarded(node).names
      default:
        return []
    }
  }

  const ofOptional = (node: AnyNode | null | undefined, scope: Scope) => (node ? of(node, scope) : [])

  function ofBinding(binding: Binding): readonly string[] {
    const { name, parameterOf, writes } = binding
    const own = globals.has(name) ? '' : name
    return remember(binding, [own], () => {
      const sources = parameterOf ? [...argumentsOf(binding), ...writes] : writes
      // In doubt it is what its name says.
      const found: string[] = sources.length === 0 ? [own] : []
      for (const write of sources) {
        const names = ofWrite(write)
        const isUnclear = names.length === 0 ? !isSomethingElse(write) : names.some(isVague(name))
        found.push(...names, ...(isUnclear ? [own] : []))
      }
      return found
    })
  }

  /** A name that says no more than the variable's own. */
  const isVague = (own: string) => (name: string) => name.startsWith('*') || name.endsWith(`.${own}`)

  function argumentsOf({ parameterOf }: Binding): Write[] {
    if (parameterOf === null) return []
    const sites = scopes.callSites.get(parameterOf.fn) ?? []
    return sites.map(({ args, scope, list }) => ({
      node: list ?? args[parameterOf.index] ?? null,
      scope,
      path: list === null ? [] : ['*'],
      isDeclaration: false,
    }))
  }

  function ofWrite({ node, scope, path }: Write): readonly string[] {
    if (node === null || path.includes('*')) return []
    return path.reduce<readonly string[]>(
      (objects, key) => objects.flatMap((object) => ofPath(join(object, key))),
      of(node, scope),
    )
  }

  /** A function, class or constant that happens to have the name of a service. */
  function isSomethingElse({ node, isDeclaration }: Write): boolean {
    if (node === null || !isDeclaration) return false
    if (isFunction(node)) return !forwarded(node).isForwarding
    return node.type === 'Literal' || node.type === 'ClassDeclaration' || node.type === 'ClassExpression'
  }

  function ofPath(path: string): readonly string[] {
    if (globals.has(path)) return ['']
    const writes = properties.get(path)
    if (writes === undefined || path === '') return [path]
    return remember(path, [path], () => [path, ...writes.flatMap(ofWrite)])
  }

  function ofMember({ object, property, computed }: MemberExpression, scope: Scope): readonly string[] {
    const keys = computed ? textsOf(value(property, scope)) : [staticKey(property, false) ?? []].flat()
    const objects = of(object, scope)
    const fields = keys.flatMap((key) => ofField(object, key, scope))
    const paths = keys.flatMap((key) =>
      objects.length === 0 ? [`*.${key}`] : objects.flatMap((one) => ofPath(join(one, key))),
    )
    return [...fields, ...paths].slice(0, maxNames)
  }

  /** What an object literal of the script has under a key. */
  function ofField(object: AnyNode, key: string, scope: Scope): readonly string[] {
    const writes = object.type === 'Identifier' ? (lookUp(scope, object.name)?.writes ?? []) : []
    return writes.flatMap(({ node, scope: from, path }) => {
      if (node?.type !== 'ObjectExpression' || path.length > 0) return []
      return node.properties.flatMap((one) =>
        one.type === 'Property' && staticKey(one.key, one.computed) === key ? of(one.value, from) : [],
      )
    })
  }

  function ofCall(callee: AnyNode, scope: Scope): readonly string[] {
    if (callee.type === 'MemberExpression')
      return staticKey(callee.property, callee.computed) === 'bind' ? of(callee.object, scope) : []
    const returned = isFunction(callee) ? returnedBy(callee) : null
    return returned === null ? [] : of(returned, scopes.scopeOf.get(callee) ?? scope)
  }

  const forwarders = new Map<FunctionNode, { names: readonly string[]; isForwarding: boolean }>()

  /** Whether a function hands its arguments on as they are, and to what. */
  function forwarded(fn: FunctionNode): {
    readonly names: readonly string[]
    readonly isForwarding: boolean
  } {
    const found = forwarders.get(fn)
    if (found !== undefined) return found
    const result = { names: [] as readonly string[], isForwarding: false }
    forwarders.set(fn, result)
    if (fn.end - fn.start > maxForwarderLength) return result
    const last = fn.params.at(-1)
    const rest =
      last?.type === 'RestElement' && last.argument.type === 'Identifier' ? last.argument.name : null
    const names = new Set<string>()
    function visit(node: AnyNode, scope: Scope): void {
      if (node !== fn && isFunction(node) && node.type !== 'ArrowFunctionExpression') return
      const inner = scopes.scopeOf.get(node) ?? scope
      if (node.type === 'Identifier' && (node.name === 'arguments' || node.name === rest))
        result.isForwarding = true
      if (node.type === 'CallExpression' && node.arguments.some((one) => passesOn(one, rest)))
        for (const name of of(node.callee, inner)) {
          const [object, method] = splitPath(name)
          if (method === 'apply') names.add(object)
          else if (method === 'push' && dataLayer.test(object)) names.add('gtag')
          else if (node.arguments.some(({ type }) => type === 'SpreadElement')) names.add(name)
        }
      eachChild(node, (child) => visit(child, inner))
    }
    visit(fn, scopes.program)
    result.names = [...names]
    return result
  }

  const isTopLevel = (scope: Scope): boolean => {
    for (let at = scope; at.parent !== null; at = at.parent) if (at.isFunction) return false
    return true
  }

  return {
    of,
    forget(): void {
      known.clear()
      forwarders.clear()
    },
  }
}

/** `arguments`, `...rest`, `[].slice.call(arguments)` or `Array.from(arguments)`. */
function passesOn(node: AnyNode, rest: string | null): boolean {
  if (node.type === 'SpreadElement') return passesOn(node.argument, rest)
  if (node.type === 'CallExpression') return node.arguments.some((one) => passesOn(one, rest))
  return node.type === 'Identifier' && (node.name === 'arguments' || node.name === rest)
}

const join = (object: string, key: string): string => (object === '' ? key : `${object}.${key}`)

/** The path of the object and the last key. */
export function splitPath(path: string): readonly [object: string, key: string] {
  const at = path.lastIndexOf('.')
  return at === -1 ? ['', path] : [path.slice(0, at), path.slice(at + 1)]
}
