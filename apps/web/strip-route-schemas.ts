import { type Plugin, parseSync, Visitor } from 'vite'

/** What only the server reads of a route. Of the response, the client needs to know whether there is one, and whether it is a file. */
const serverOnly = [
  'summary',
  'params',
  'query',
  'body',
  'errors',
  'confirmation',
  'isPreview',
  'isLargeBody',
  'response',
]

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Leaves the schemas out of the contract's routes, and marks its module-level calls as free of side effects, so that zod and
 * the schemas get into the browser only with the screens that check input with them.
 */
export const stripRouteSchemas = (): Plugin => ({
  name: 'kustos-strip-route-schemas',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/packages\/contract\/src\/.*\.ts$/ },
    handler: (code, id) => ({ code: applied(code, editsOf(code, id)), map: null }),
  },
})

function editsOf(code: string, id: string): Edit[] {
  const edits: Edit[] = []
  let functionDepth = 0
  const enterFunction = () => {
    functionDepth += 1
  }
  const leaveFunction = () => {
    functionDepth -= 1
  }
  new Visitor({
    FunctionDeclaration: enterFunction,
    'FunctionDeclaration:exit': leaveFunction,
    ArrowFunctionExpression: enterFunction,
    'ArrowFunctionExpression:exit': leaveFunction,
    CallExpression({ start, callee, arguments: [, , definition] }) {
      if (functionDepth === 0) edits.push({ start, end: start, text: '/* @__PURE__ */ ' })
      if (callee.type !== 'Identifier' || callee.name !== 'route') return
      if (definition?.type !== 'ObjectExpression') return
      for (const property of definition.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
        const { key, value } = property
        if (!serverOnly.includes(key.name)) continue
        if (value.type === 'Identifier' && value.name === 'file') continue
        const comma = code[property.end] === ',' ? 1 : 0
        edits.push(
          key.name === 'response'
            ? { start: property.start, end: property.end, text: 'response: undefined' }
            : { start: property.start, end: property.end + comma, text: '' },
        )
      }
    },
  }).visit(parseSync(id, code).program)
  return edits.sort((one, other) => one.start - other.start)
}

/** The code with its edits; those inside of what another one replaces are dropped. */
function applied(code: string, edits: readonly Edit[]): string {
  let result = ''
  let end = 0
  for (const edit of edits) {
    if (edit.start < end) continue
    result += code.slice(end, edit.start) + edit.text
    end = edit.end
  }
  return result + code.slice(end)
}
