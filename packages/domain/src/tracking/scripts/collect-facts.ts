import type {
  AnyNode,
  AssignmentExpression,
  CallExpression,
  MemberExpression,
  Program,
  VariableDeclarator,
} from 'acorn'
import { createElements } from './elements.ts'
import { concatValues, truthOf } from './fold.ts'
import { splitPath } from './names.ts'
import type { Resolver } from './resolver.ts'
import type { Scope } from './scopes.ts'
import { listOf, type ScriptFacts, type ScriptValue, startsOf, textOf, textsOf } from './script-facts.ts'
import { eachChild, type FunctionNode, isFunction, operandsOf, staticKey } from './syntax-tree.ts'
import * as watched from './watched.ts'

/** Facts of one kind; only a malicious script has more. */
const maxFacts = 500
const maxArguments = 4

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }

/** Collects what a script does, except what never runs. */
export function collectFacts(root: Program, resolver: Resolver): ScriptFacts {
  const { scopes, names, value } = resolver
  const facts: Mutable<ScriptFacts> = {
    calls: [],
    assignments: [],
    attributes: [],
    loads: [],
    objects: [],
    lists: [],
    texts: [],
    settings: [],
    mentions: [],
  }
  const mentions = new Set<string>()
  const elements = createElements(resolver)

  function add<T>(list: T[], fact: T): void {
    if (list.length < maxFacts) list.push(fact)
  }

  /** Visits a statement or expression. @returns whether what follows it never runs */
  function visit(node: AnyNode, outer: Scope): boolean {
    const scope = scopes.scopeOf.get(node) ?? outer
    if (isFunction(node)) return visitFunction(node, scope)
    switch (node.type) {
      case 'Program':
      case 'BlockStatement':
      case 'StaticBlock':
        return visitList(node.body, scope)
      case 'SwitchStatement':
        visit(node.discriminant, scope)
        for (const one of node.cases) visitList(one.consequent, scope)
        return false
      case 'IfStatement':
        return visitBranches(node.test, node.consequent, node.alternate ?? null, scope)
      case 'ConditionalExpression':
        visitBranches(node.test, node.consequent, node.alternate, scope)
        return false
      case 'LogicalExpression':
        visit(node.left, scope)
        if (runsRight(node.operator, value(node.left, scope))) visit(node.right, scope)
        return false
      case 'WhileStatement':
        visitBranches(node.test, node.body, null, scope)
        return false
      case 'ForStatement':
        if (node.init) visit(node.init, scope)
        if (node.test && truthOf(value(node.test, scope)) === false) return false
        for (const part of [node.test, node.update, node.body]) if (part) visit(part, scope)
        return false
      case 'TryStatement': {
        const [block, handler] = [visit(node.block, scope), node.handler ? visit(node.handler, scope) : true]
        return (node.finalizer ? visit(node.finalizer, scope) : false) || (block && handler)
      }
      case 'CatchClause':
        return visit(node.body, scope)
      case 'ReturnStatement':
      case 'ThrowStatement':
        if (node.argument) visit(node.argument, scope)
        return true
      case 'BreakStatement':
      case 'ContinueStatement':
        return true
      default:
        visitExpression(node, scope)
        return false
    }
  }

  /** Declarations of functions run wherever they stand. */
  function visitList(nodes: readonly AnyNode[], scope: Scope): boolean {
    let isDead = false
    for (const node of nodes)
      if (!isDead || node.type === 'FunctionDeclaration') isDead = visit(node, scope) || isDead
    return isDead
  }

  function visitBranches(test: AnyNode, first: AnyNode, second: AnyNode | null, scope: Scope): boolean {
    visit(test, scope)
    const truth = truthOf(value(test, scope))
    const ends = truth !== false && visit(first, scope)
    const endsOtherwise = truth !== true && second !== null && visit(second, scope)
    return truth === undefined ? ends && endsOtherwise : ends || endsOtherwise
  }

  function visitFunction(node: FunctionNode, scope: Scope): boolean {
    if (node.type === 'FunctionDeclaration' && isNeverCalled(node.id?.name, scope.parent)) return false
    for (const param of node.params) visit(param, scope)
    if (node.body.type === 'BlockStatement') visitList(node.body.body, scope)
    else visit(node.body, scope)
    return false
  }

  /** A function that others cannot see, and that its own script never names again. Others may call all the rest. */
  const isNeverCalled = (name: string | undefined, scope: Scope | null): boolean =>
    name !== undefined && scope !== null && isLocal(scope) && scopes.occurrences.get(name) === 1

  const isLocal = (scope: Scope): boolean => {
    for (let at: Scope | null = scope; at !== null; at = at.parent)
      if (at.isFunction && at !== scopes.program) return true
    return false
  }

  function visitExpression(node: AnyNode, scope: Scope): void {
    switch (node.type) {
      case 'VariableDeclarator':
        if (
          node.init &&
          isFunction(node.init) &&
          node.id.type === 'Identifier' &&
          isNeverCalled(node.id.name, scope)
        )
          return
        addDeclaration(node, scope)
        break
      case 'AssignmentExpression':
        addAssignment(node, scope)
        break
      case 'CallExpression':
        addCall(node, scope)
        if (isConcat(node)) addText(node, value(node, scope), true)
        break
      case 'NewExpression':
        for (const name of names(node.callee, scope)) if (watched.isWatchedName(name)) mentions.add(name)
        break
      case 'ImportExpression':
        elements.addLoad(facts.loads, node, value(node.source, scope), 'module')
        break
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (node.source) elements.addLoad(facts.loads, node, value(node.source, scope), 'module')
        break
      case 'ObjectExpression':
        addObject(node, scope)
        break
      case 'ArrayExpression':
        if (isCommand(node.elements[0] ?? null, scope))
          add(facts.lists, { items: listItems(node, scope), ...span(node) })
        break
      case 'Literal':
        if (typeof node.value === 'string') addText(node, node.value, false)
        return
      case 'TemplateLiteral':
        addText(node, value(node, scope), node.expressions.length > 0)
        break
      case 'BinaryExpression':
        if (node.operator !== '+') break
        addText(node, value(node, scope), true)
        for (const operand of operandsOf(node)) visit(operand, scope)
        return
      case 'Identifier':
        if (watched.isWatchedName(node.name)) mentions.add(node.name)
        return
      case 'MemberExpression':
        if (node.computed)
          for (const name of textsOf(value(node.property, scope)))
            if (watched.isWatchedName(name)) mentions.add(name)
        break
      default:
    }
    eachChild(node, (child) => visit(child, scope))
  }

  const isCommand = (first: AnyNode | null, scope: Scope): boolean =>
    first !== null &&
    first.type !== 'ArrayExpression' &&
    textsOf(value(first, scope)).some(watched.isWatchedCommand)

  const listItems = (node: AnyNode, scope: Scope): readonly ScriptValue[] => listOf(value(node, scope)) ?? []

  function addDeclaration({ id, init, ...node }: VariableDeclarator, scope: Scope): void {
    if (id.type !== 'Identifier' || !init) return
    if (watched.isWatchedAssignment(id.name))
      add(facts.assignments, { name: id.name, value: value(init, scope), ...span(node) })
    if (init.type === 'ObjectExpression' && !isLocal(scope))
      add(facts.settings, { name: id.name, ...span(init) })
  }

  function addAssignment(node: AssignmentExpression, scope: Scope): void {
    const { left, right, operator } = node
    if (left.type !== 'Identifier' && left.type !== 'MemberExpression') return
    // Most assignments in a script are of no interest, which their last key tells.
    const key = left.type === 'Identifier' ? left.name : staticKey(left.property, left.computed)
    const isSettings = right.type === 'ObjectExpression'
    if (!isSettings && key !== undefined && !watched.isWatchedKey(key)) return
    const assigned = () =>
      operator === '+=' ? concatValues(value(left, scope), value(right, scope)) : value(right, scope)
    if (left.type === 'MemberExpression' && key === 'src') {
      elements.addLoad(facts.loads, node, assigned(), elements.kindOf(left.object, scope))
      return
    }
    for (const name of names(left, scope)) {
      const attribute = watched.attributeOf(name)
      if (watched.isWatchedAssignment(name))
        add(facts.assignments, { name, value: assigned(), ...span(node) })
      else if (attribute !== undefined && startsOf(assigned()).length > 0)
        add(facts.attributes, { name: attribute, value: assigned(), ...span(node) })
      else if (isSettings && name.split('.').length <= 2) add(facts.settings, { name, ...span(right) })
    }
  }

  function addObject(node: AnyNode & { type: 'ObjectExpression' }, scope: Scope): void {
    const isWatched = node.properties.some(
      (one) => one.type === 'Property' && watched.isWatchedField(staticKey(one.key, one.computed) ?? ''),
    )
    const object = isWatched ? value(node, scope) : null
    if (typeof object === 'object' && object?.kind === 'object')
      add(facts.objects, { fields: object.fields, ...span(node) })
  }

  function addText(node: AnyNode, text: ScriptValue, isJoined: boolean): void {
    for (const one of startsOf(text))
      if (watched.isWatchedText(one.text)) add(facts.texts, { ...one, isJoined, ...span(node) })
  }

  function addCall(node: CallExpression, scope: Scope): void {
    elements.noteCreated(node, scope)
    for (const called of names(node.callee, scope)) {
      const [name, args] = withoutIndirection(called, node, scope)
      const [, method] = splitPath(name)
      if (watched.isWatchedCall(name))
        add(facts.calls, { name, args: args().slice(0, maxArguments), ...span(node) })
      else if (method === 'setAttribute' && node.callee.type === 'MemberExpression')
        addAttribute(node, node.callee, args(), scope)
      else if (elements.isRequest(name)) elements.addRequest(facts.loads, node, name, args()[0])
      else if (name === 'Object.assign') elements.addAssigned(facts, node, scope)
    }
  }

  /** `fbq.call(null, …)` and `fbq.apply(null, […])` call `fbq`. */
  function withoutIndirection(called: string, { arguments: args }: CallExpression, scope: Scope) {
    const [object, method] = splitPath(called)
    const all = () => listItemsOf(args, scope)
    if (object === '' || object === '*' || (method !== 'call' && method !== 'apply'))
      return [called, all] as const
    if (method === 'call') return [object, () => all().slice(1)] as const
    return [object, () => (args[1] ? listItems(args[1], scope) : [])] as const
  }

  const listItemsOf = (args: CallExpression['arguments'], scope: Scope): readonly ScriptValue[] =>
    args.flatMap((one) => (one.type === 'SpreadElement' ? listItems(one.argument, scope) : value(one, scope)))

  function addAttribute(
    node: CallExpression,
    callee: MemberExpression,
    [key, assigned = null]: readonly ScriptValue[],
    scope: Scope,
  ): void {
    const name = textOf(key) ?? ''
    if (name === 'src') elements.addLoad(facts.loads, node, assigned, elements.kindOf(callee.object, scope))
    else if (watched.isWatchedAttribute(name)) add(facts.attributes, { name, value: assigned, ...span(node) })
  }

  visit(root, scopes.program)
  return { ...facts, loads: elements.finish(facts.loads), mentions: [...mentions] }
}

const span = ({ start, end }: { readonly start: number; readonly end: number }) => ({ start, end })

const isConcat = ({ callee }: CallExpression): boolean =>
  callee.type === 'MemberExpression' && staticKey(callee.property, callee.computed) === 'concat'

function runsRight(operator: string, left: ScriptValue): boolean {
  const truth = truthOf(left)
  if (operator === '&&') return truth !== false
  if (operator === '||') return truth !== true
  return left === null || (typeof left === 'object' && (left.kind === 'choice' || left.kind === 'unknown'))
}
