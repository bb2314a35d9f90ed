import type {
  AnyNode,
  CallExpression,
  Identifier,
  MemberExpression,
  Program,
  VariableDeclaration,
} from 'acorn'
import { eachChild, type FunctionNode, isFunction, staticKey } from './syntax-tree.ts'

/** A value that is written to a variable or property. */
export interface Write {
  /** Null if it is not known, as that of `i++`. */
  readonly node: AnyNode | null
  readonly scope: Scope
  /** The keys that lead from the node's value to the written one; `*` is each entry of a list. */
  readonly path: readonly string[]
  readonly isDeclaration: boolean
}

export interface Binding {
  readonly name: string
  /** Whether other scripts may change it. */
  readonly isOpen: boolean
  /** Whether it was assigned more often than `maxWrites`. */
  hasMore: boolean
  readonly writes: Write[]
  readonly parameterOf: { readonly fn: FunctionNode; readonly index: number } | null
}

export interface Scope {
  readonly parent: Scope | null
  readonly isFunction: boolean
  readonly bindings: Map<string, Binding>
}

/** A call of a function of the script; null arguments are not known. */
export interface CallSite {
  readonly args: readonly (AnyNode | null)[]
  readonly scope: Scope
  /** The list whose entries a callback receives (`forEach`). */
  readonly list: AnyNode | null
}

export interface Scopes {
  readonly program: Scope
  readonly scopeOf: ReadonlyMap<AnyNode, Scope>
  readonly callSites: ReadonlyMap<FunctionNode, readonly CallSite[]>
  /** Functions that only run where they stand. */
  readonly immediate: ReadonlySet<FunctionNode>
  /** Assignments to properties and to variables that are not declared. */
  readonly otherWrites: readonly { readonly target: Identifier | MemberExpression; readonly write: Write }[]
  /** How often each name occurs in the whole script. */
  readonly occurrences: ReadonlyMap<string, number>
}

/** Only generated code assigns one variable more often. */
const maxWrites = 12
const maxCallSites = 8
const maxOtherWrites = 20_000

export function lookUp(scope: Scope, name: string): Binding | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const binding = at.bindings.get(name)
    if (binding !== undefined) return binding
  }
  return undefined
}

type Target = (target: Identifier | MemberExpression, value: AnyNode | null, path: readonly string[]) => void

/** Declares all variables of a script, and collects what is written to them and how functions are called. */
export function readScopes(root: Program): Scopes {
  const scopeOf = new Map<AnyNode, Scope>()
  const occurrences = new Map<string, number>()
  const assigned: { readonly target: Identifier | MemberExpression; readonly write: Write }[] = []
  const calls: { readonly node: CallExpression; readonly scope: Scope }[] = []
  const program = createScope(null, true, root)

  function createScope(parent: Scope | null, isFunctionScope: boolean, node: AnyNode): Scope {
    const scope: Scope = { parent, isFunction: isFunctionScope, bindings: new Map() }
    scopeOf.set(node, scope)
    return scope
  }

  function declare(scope: Scope, name: string, isConstant = false): Binding {
    const known = scope.bindings.get(name)
    if (known !== undefined) return known
    const isOpen = scope === program && !isConstant
    const binding = { name, isOpen, hasMore: false, writes: [], parameterOf: null }
    scope.bindings.set(name, binding)
    return binding
  }

  function visitFunction(fn: FunctionNode, outer: Scope): void {
    const scope = createScope(outer, true, fn)
    if (fn.type === 'FunctionExpression' && fn.id)
      addWrite(declare(scope, fn.id.name), { node: fn, scope, path: [], isDeclaration: true })
    for (const [index, pattern] of fn.params.entries()) {
      const parameterOf = { fn, index }
      const rest = pattern.type === 'RestElement' ? pattern.argument : pattern
      const simple = rest.type === 'AssignmentPattern' ? rest.left : rest
      if (simple.type === 'Identifier' && pattern.type !== 'RestElement') {
        const binding = { name: simple.name, isOpen: false, hasMore: false, writes: [], parameterOf }
        scope.bindings.set(simple.name, binding)
        if (rest.type === 'AssignmentPattern')
          addWrite(binding, { node: rest.right, scope, path: [], isDeclaration: false })
      } else declareNames(rest, scope)
      eachChild(pattern, (child) => visit(child, scope))
    }
    if (fn.body.type === 'BlockStatement') for (const statement of fn.body.body) visit(statement, scope)
    else visit(fn.body, scope)
  }

  function visit(node: AnyNode, scope: Scope): void {
    if (isFunction(node)) {
      if (node.type === 'FunctionDeclaration' && node.id) {
        count(node.id.name)
        const binding = declare(enclosingFunction(scope), node.id.name)
        addWrite(binding, { node, scope, path: [], isDeclaration: true })
      }
      visitFunction(node, scope)
    } else if (node.type === 'Identifier') count(node.name)
    else {
      const inner = opensScope(node) ? createScope(scope, false, node) : scope
      readNode(node, inner)
      eachChild(node, (child) => visit(child, inner))
    }
  }

  function readNode(node: AnyNode, scope: Scope): void {
    switch (node.type) {
      case 'VariableDeclaration':
        declareAll(node, scope)
        break
      case 'ClassDeclaration':
        if (node.id) addWrite(declare(scope, node.id.name), { node, scope, path: [], isDeclaration: true })
        break
      case 'ImportDeclaration':
        for (const { local } of node.specifiers) declare(scope, local.name)
        break
      case 'CatchClause':
        if (node.param) declareNames(node.param, scope)
        break
      case 'ForOfStatement':
      case 'ForInStatement':
        readLoop(node, scope)
        break
      case 'AssignmentExpression':
        addAssignment(node.left, node.right, node.operator, scope)
        break
      case 'UpdateExpression':
        addAssignment(node.argument, null, '=', scope)
        break
      case 'CallExpression':
        calls.push({ node, scope })
    }
  }

  function declareNames(pattern: AnyNode, scope: Scope): void {
    eachTarget(pattern, null, [], (target) => {
      if (target.type === 'Identifier') declare(scope, target.name)
    })
  }

  function declareAll({ kind, declarations }: VariableDeclaration, scope: Scope): void {
    const target = kind === 'var' ? enclosingFunction(scope) : scope
    for (const { id, init } of declarations)
      eachTarget(id, init ?? null, [], (one, node, path) => {
        if (one.type !== 'Identifier') return
        const binding = declare(target, one.name, kind !== 'var' && kind !== 'let')
        if (node !== null || path.length > 0) addWrite(binding, { node, scope, path, isDeclaration: true })
      })
  }

  /** The variable of a loop has the value of each entry. */
  function readLoop(node: AnyNode & { type: 'ForOfStatement' | 'ForInStatement' }, scope: Scope): void {
    const value = node.type === 'ForOfStatement' ? node.right : null
    const isDeclared = node.left.type === 'VariableDeclaration'
    const pattern = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left
    if (pattern === undefined) return
    const target = node.left.type === 'VariableDeclaration' && node.left.kind !== 'var' ? scope : null
    eachTarget(pattern, value, ['*'], (one, from, path) => {
      const write = { node: from, scope, path, isDeclaration: isDeclared }
      if (isDeclared && one.type === 'Identifier')
        addWrite(declare(target ?? enclosingFunction(scope), one.name), write)
      else assigned.push({ target: one, write })
    })
  }

  function addAssignment(left: AnyNode, right: AnyNode | null, operator: string, scope: Scope): void {
    const isPlain = operator === '=' || operator === '||=' || operator === '??='
    eachTarget(left, isPlain ? right : null, [], (target, node, path) =>
      assigned.push({ target, write: { node, scope, path, isDeclaration: false } }),
    )
  }

  function count(name: string): void {
    occurrences.set(name, (occurrences.get(name) ?? 0) + 1)
  }

  for (const statement of root.body) visit(statement, program)
  const otherWrites = assigned.filter(({ target, write }) => {
    const binding = target.type === 'Identifier' ? lookUp(write.scope, target.name) : undefined
    if (binding !== undefined) addWrite(binding, write)
    return binding === undefined && write.node !== null
  })
  return {
    program,
    scopeOf,
    occurrences,
    otherWrites: otherWrites.slice(0, maxOtherWrites),
    ...readCalls(calls),
  }
}

const enclosingFunction = (scope: Scope): Scope =>
  scope.isFunction || scope.parent === null ? scope : enclosingFunction(scope.parent)

function addWrite(binding: Binding, write: Write): void {
  if (binding.writes.length < maxWrites) binding.writes.push(write)
  else binding.hasMore = true
}

function opensScope(node: AnyNode): boolean {
  if (node.type === 'BlockStatement' || node.type === 'StaticBlock') return hasDeclarations(node.body)
  if (node.type === 'ForStatement') return node.init ? hasDeclarations([node.init]) : false
  if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') return hasDeclarations([node.left])
  if (node.type === 'SwitchStatement') return node.cases.some(({ consequent }) => hasDeclarations(consequent))
  return node.type === 'CatchClause'
}

const hasDeclarations = (nodes: readonly AnyNode[]): boolean =>
  nodes.some(
    (node) =>
      node.type === 'ClassDeclaration' || (node.type === 'VariableDeclaration' && node.kind !== 'var'),
  )

/** Calls `take` for each variable or property that a pattern writes to. */
function eachTarget(pattern: AnyNode, value: AnyNode | null, path: readonly string[], take: Target): void {
  if (pattern.type === 'Identifier' || pattern.type === 'MemberExpression') take(pattern, value, path)
  else if (pattern.type === 'AssignmentPattern') {
    eachTarget(pattern.left, value, path, take)
    eachTarget(pattern.left, pattern.right, [], take)
  } else if (pattern.type === 'RestElement') eachTarget(pattern.argument, null, [], take)
  else if (pattern.type === 'ArrayPattern') {
    for (const [index, one] of pattern.elements.entries())
      if (one !== null) eachTarget(one, value, [...path, String(index)], take)
  } else if (pattern.type === 'ObjectPattern')
    for (const one of pattern.properties) {
      if (one.type === 'RestElement') eachTarget(one, null, [], take)
      else {
        const key = staticKey(one.key, one.computed)
        eachTarget(one.value, key === undefined ? null : value, [...path, key ?? ''], take)
      }
    }
}

/** Which functions are called with what: at once, by their names, or as callbacks of lists. */
function readCalls(calls: readonly { readonly node: CallExpression; readonly scope: Scope }[]) {
  const callSites = new Map<FunctionNode, CallSite[]>()
  const immediate = new Set<FunctionNode>()
  function addSite(callee: AnyNode, site: CallSite): void {
    const binding = callee.type === 'Identifier' ? lookUp(site.scope, callee.name) : undefined
    if (isFunction(callee)) immediate.add(callee)
    const written = binding?.writes.map(({ node, path }) => (path.length === 0 ? node : null)) ?? [callee]
    for (const fn of written) {
      if (fn === null || !isFunction(fn)) continue
      const sites = callSites.get(fn) ?? []
      callSites.set(fn, sites)
      if (sites.length < maxCallSites) sites.push(site)
    }
  }
  for (const { node, scope } of calls) {
    const args = node.arguments.map((one) => (one.type === 'SpreadElement' ? null : one))
    const { callee } = node
    if (callee.type !== 'MemberExpression') {
      addSite(callee, { args, scope, list: null })
      continue
    }
    const method = staticKey(callee.property, callee.computed)
    const [first, second] = args
    if (method === 'call') addSite(callee.object, { args: args.slice(1), scope, list: null })
    else if (method === 'apply' && second?.type === 'ArrayExpression')
      addSite(callee.object, { args: second.elements, scope, list: null })
    else if ((method === 'forEach' || method === 'map') && first)
      addSite(first, { args: [], scope, list: callee.object })
  }
  return { callSites, immediate }
}
