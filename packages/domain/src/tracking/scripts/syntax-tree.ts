import { type AnyNode, type Options, type Program, parse } from 'acorn'

export type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>

/** One pass reads modules, scripts and handlers (`onclick="return …"`) alike. */
export const syntaxOptions: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowHashBang: true,
  checkPrivateFields: false,
}

/**
 * @returns null if it is not JavaScript, so that browsers do not run it either
 * @throws RangeError if it is nested too deeply
 */
export function parseScript(source: string): Program | null {
  try {
    return parse(source, syntaxOptions)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // acorn reports a stack overflow as an error of the script.
    if (error.message.startsWith('Not enough stack space'))
      throw new RangeError(error.message, { cause: error })
    return null
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as AnyNode).type === 'string'

/** Calls `visit` for each child, in the order of the source but for few kinds of nodes. */
export function eachChild(node: AnyNode, visit: (child: AnyNode) => void): void {
  for (const key in node) {
    const value: unknown = node[key as keyof AnyNode]
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) visit(one)
    } else if (isNode(value)) visit(value)
  }
}

export const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression'

/** The name of a property that is not computed. */
export function staticKey(key: AnyNode, computed: boolean): string | undefined {
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && !computed ? key.name : undefined
}

/** The operands of a chain of `+`, without recursion: minified texts consist of thousands. */
export function operandsOf(node: AnyNode): AnyNode[] {
  const operands: AnyNode[] = []
  let left = node
  while (left.type === 'BinaryExpression' && left.operator === '+') {
    operands.push(left.right)
    left = left.left
  }
  return [...operands, left].reverse()
}

/** The value that a function returns if it does nothing else. */
export function returnedBy({ body }: FunctionNode): AnyNode | null {
  if (body.type !== 'BlockStatement') return body
  const returns = body.body.filter(({ type }) => type === 'ReturnStatement')
  const [only] = returns
  return returns.length === 1 && only?.type === 'ReturnStatement' ? (only.argument ?? null) : null
}
