import type { AnyNode, BinaryExpression, CallExpression, MemberExpression, ObjectExpression } from 'acorn'
import { combineValues, compareValues, concatValues, readPath, truthOf } from './fold.ts'
import type { Guard, Resolver } from './resolver.ts'
import { type Binding, lookUp, type Scope, type Write } from './scopes.ts'
import {
  alternativesOf,
  type Fields,
  listOf,
  type ScriptValue,
  textOf,
  textsOf,
  unknownValue,
} from './script-facts.ts'
import { type FunctionNode, isFunction, operandsOf, returnedBy, staticKey } from './syntax-tree.ts'

type Needs = Pick<Resolver, 'scopes' | 'properties' | 'names'> & { readonly guard: Guard }

/** Entries of a list or object; only data has more. */
const maxEntries = 300

/** Folds expressions to constants as far as the script determines them. */
export function createValues({ scopes, properties, names, guard }: Needs) {
  const known = new Map<Binding | string | AnyNode, ScriptValue>()

  /** What depends on itself is not known. */
  function remember(key: Binding | string | AnyNode, find: () => ScriptValue): ScriptValue {
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, unknownValue)
    const value = find()
    known.set(key, value)
    return value
  }

  const value = (node: AnyNode, scope: Scope): ScriptValue =>
    guard<ScriptValue>(unknownValue, () => find(node, scope))

  function find(node: AnyNode, scope: Scope): ScriptValue {
    switch (node.type) {
      case 'Literal':
        return readLiteral(node)
      case 'TemplateLiteral':
        return node.quasis
          .flatMap(({ value: { cooked } }, index) => {
            const expression = node.expressions[index]
            return [cooked ?? '', ...(expression ? [value(expression, scope)] : [])]
          })
          .reduce(concatValues, '')
      case 'BinaryExpression':
        return ofBinary(node, scope)
      case 'UnaryExpression':
        return ofUnary(node.operator, node.argument, scope)
      case 'LogicalExpression':
        // In a chain, each part is asked for again with the next.
        return remember(node, () => ofLogical(node.operator, node.left, node.right, scope))
      case 'ConditionalExpression': {
        const test = truth(node.test, scope)
        if (test !== undefined) return value(test ? node.consequent : node.alternate, scope)
        return combineValues([value(node.consequent, scope), value(node.alternate, scope)])
      }
      case 'SequenceExpression': {
        const last = node.expressions.at(-1)
        return last ? value(last, scope) : unknownValue
      }
      case 'AssignmentExpression':
        return node.operator === '=' ? value(node.right, scope) : unknownValue
      case 'ChainExpression':
        return value(node.expression, scope)
      case 'Identifier':
        return ofIdentifier(node.name, scope)
      case 'MemberExpression':
        return ofMember(node, scope)
      case 'ArrayExpression':
        return { kind: 'list', items: ofElements(node.elements, scope) }
      case 'ObjectExpression':
        return { kind: 'object', fields: ofFields(node, scope) }
      case 'CallExpression':
        return ofCall(node, scope)
      default:
        return unknownValue
    }
  }

  const truth = (node: AnyNode, scope: Scope): boolean | undefined => truthOf(value(node, scope))

  function ofBinary(node: BinaryExpression, scope: Scope): ScriptValue {
    if (node.operator === '+')
      return operandsOf(node)
        .map((one) => value(one, scope))
        .reduce(concatValues)
    if (!/^(?:[!=]==?|[<>]=?)$/.test(node.operator)) return unknownValue
    return compareValues(node.operator, value(node.left, scope), value(node.right, scope))
  }

  function ofUnary(operator: string, argument: AnyNode, scope: Scope): ScriptValue {
    if (operator === 'void') return null
    const inner = value(argument, scope)
    const truthy = truthOf(inner)
    if (operator === '!') return truthy === undefined ? unknownValue : !truthy
    if (typeof inner !== 'number') return unknownValue
    return operator === '-' ? -inner : operator === '+' ? inner : unknownValue
  }

  function ofLogical(operator: string, left: AnyNode, right: AnyNode, scope: Scope): ScriptValue {
    const first = value(left, scope)
    const truthy = truthOf(first)
    if (operator === '&&' && truthy !== undefined) return truthy ? value(right, scope) : first
    if (operator === '||' && truthy !== undefined) return truthy ? first : value(right, scope)
    if (operator === '??' && first === null) return value(right, scope)
    return combineValues([first, value(right, scope)])
  }

  function ofIdentifier(name: string, scope: Scope): ScriptValue {
    const binding = lookUp(scope, name)
    if (binding !== undefined) return remember(binding, () => ofBinding(binding))
    return name === 'undefined' ? null : ofPath(name)
  }

  function ofPath(path: string): ScriptValue {
    const writes = properties.get(path)
    if (writes === undefined) return unknownValue
    return remember(path, () => combineValues(writes.map(ofWrite), true))
  }

  function ofBinding({ parameterOf, writes, isOpen, hasMore }: Binding): ScriptValue {
    const [only] = writes
    if (parameterOf === null) {
      // A variable that is declared without a value, and gets one later, has none in between.
      const isFixed = writes.length === 1 && only?.isDeclaration === true && !isOpen
      return combineValues(writes.map(ofWrite), !isFixed || hasMore)
    }
    const { fn, index } = parameterOf
    const sites = scopes.callSites.get(fn) ?? []
    const passed = sites.map(({ args, scope, list }) => {
      if (list !== null) return index === 0 ? readPath(value(list, scope), ['*']) : unknownValue
      const arg = args[index]
      return arg === undefined ? null : arg === null ? unknownValue : value(arg, scope)
    })
    const isClosed = scopes.immediate.has(fn) && writes.length === 0
    return combineValues([...passed, ...writes.map(ofWrite)], !isClosed || hasMore)
  }

  const ofWrite = ({ node, scope, path }: Write): ScriptValue =>
    node === null ? unknownValue : readPath(value(node, scope), path)

  function ofMember(node: MemberExpression, scope: Scope): ScriptValue {
    const { object, property, computed } = node
    const key = computed ? textOf(value(property, scope)) : staticKey(property, false)
    const inner = key === undefined ? unknownValue : readPath(value(object, scope), [key])
    const written = names(node, scope).map(ofPath)
    return combineValues([inner, ...written].filter((one) => one !== unknownValue))
  }

  function ofElements(elements: readonly (AnyNode | null)[], scope: Scope): ScriptValue[] {
    return elements.slice(0, maxEntries).flatMap((one) => {
      if (one === null) return null
      if (one.type !== 'SpreadElement') return value(one, scope)
      return listOf(value(one.argument, scope)) ?? unknownValue
    })
  }

  function ofFields(node: ObjectExpression, scope: Scope): Fields {
    const fields = new Map<string, ScriptValue>()
    for (const one of node.properties.slice(0, maxEntries)) {
      if (one.type === 'SpreadElement') addFields(fields, value(one.argument, scope))
      else {
        const key = one.computed ? textOf(value(one.key, scope)) : staticKey(one.key, false)
        if (key !== undefined && one.kind === 'init') fields.set(key, value(one.value, scope))
      }
    }
    return fields
  }

  function addFields(fields: Map<string, ScriptValue>, from: ScriptValue): void {
    for (const one of alternativesOf(from))
      if (typeof one === 'object' && one?.kind === 'object')
        for (const [key, field] of one.fields) if (fields.size < maxEntries) fields.set(key, field)
  }

  function ofCall({ callee, arguments: args }: CallExpression, scope: Scope): ScriptValue {
    if (callee.type === 'MemberExpression') {
      const method = staticKey(callee.property, callee.computed)
      return method === undefined ? unknownValue : ofMethod(method, callee.object, args, scope)
    }
    const [first] = args
    if (callee.type === 'Identifier' && callee.name === 'String' && first)
      return concatValues('', value(first, scope))
    const fn = isFunction(callee) ? callee : functionOf(callee, scope)
    if (fn === undefined) return unknownValue
    const returned = returnedBy(fn)
    return returned === null
      ? unknownValue
      : remember(fn, () => value(returned, scopes.scopeOf.get(fn) ?? scope))
  }

  function functionOf(callee: AnyNode, scope: Scope): FunctionNode | undefined {
    const writes = callee.type === 'Identifier' ? (lookUp(scope, callee.name)?.writes ?? []) : []
    const node = writes.length === 1 ? writes[0]?.node : null
    return node && isFunction(node) ? node : undefined
  }

  function ofMethod(method: string, object: AnyNode, args: readonly AnyNode[], scope: Scope): ScriptValue {
    const arg = (index: number) => (args[index] ? value(args[index], scope) : unknownValue)
    if (object.type === 'Identifier' && object.name === 'Object') {
      if (method === 'freeze') return arg(0)
      if (method !== 'assign') return unknownValue
      const fields = new Map<string, ScriptValue>()
      for (const index of args.keys()) addFields(fields, arg(index))
      return { kind: 'object', fields }
    }
    if (method === 'concat')
      return args.reduce((text, one) => concatValues(text, value(one, scope)), value(object, scope))
    const own = textMethods.get(method)
    if (own !== undefined) return combineValues(textsOf(value(object, scope)).map(own))
    const list = method === 'join' ? listOf(value(object, scope)) : undefined
    if (list === undefined) return unknownValue
    const separator = args.length === 0 ? ',' : arg(0)
    return list.reduce(
      (text, one, index) => concatValues(index === 0 ? '' : concatValues(text, separator), one),
      '',
    )
  }

  return { value, truth, forget: () => known.clear() }
}

const textMethods = new Map<string, (text: string) => string>([
  ['toString', (text) => text],
  ['trim', (text) => text.trim()],
  ['toUpperCase', (text) => text.toUpperCase()],
  ['toLowerCase', (text) => text.toLowerCase()],
])

/** Long whole numbers are ids, which must not be rounded. */
function readLiteral({ value, raw, regex, bigint }: AnyNode & { type: 'Literal' }): ScriptValue {
  if (regex !== undefined && regex !== null) return unknownValue
  if (bigint) return bigint
  if (typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(raw ?? '')) return raw ?? ''
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as ScriptValue)
    : unknownValue
}
