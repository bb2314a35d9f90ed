const maxCauseDepth = 5

/**
 * Logs these fields of an error only, since others contain data: the parameters of a statement (drizzle), the values of a
 * row (`detail` of Postgres) or a request with its headers.
 */
export function serializeError(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return String(thrown)
  const code = field(thrown, 'code')
  const constraint = field(thrown, 'constraint')
  const inner = depth < maxCauseDepth
  return {
    type: thrown.name,
    message: withoutParameters(thrown.message),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    stack: framesOf(thrown.stack),
    ...(inner && thrown.cause !== undefined && { cause: serializeError(thrown.cause, depth + 1) }),
    ...(inner &&
      thrown instanceof AggregateError && {
        errors: thrown.errors.map((each) => serializeError(each, depth + 1)),
      }),
  }
}

function field(error: Error, key: string): string | number | undefined {
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** Drizzle appends the values of the statement to its message, such as password hashes and session ids. */
const withoutParameters = (message: string) => message.replace(/\nparams: [\s\S]*$/, '')

/** Describes an error for a terminal: its message, and the cause of a failed statement. */
export function describeError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  // The connection was refused at every address.
  if (thrown instanceof AggregateError && thrown.message === '')
    return thrown.errors.map(describeError).join('; ')
  const message = withoutParameters(thrown.message)
  if (message === thrown.message || !(thrown.cause instanceof Error)) return message || thrown.name
  return `${describeError(thrown.cause)}\n${message}`
}

/** The stack begins with the message, which contains the parameters. */
const framesOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
