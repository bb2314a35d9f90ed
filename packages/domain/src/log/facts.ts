/** Causes of causes that are told. */
const deepest = 5

/**
 * What a log tells of an error: no more than these fields, since others carry what was being sent, such as a statement's
 * parameters (drizzle), a row's values (Postgres' `detail`), or a request with its headers.
 */
export function facts(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return String(thrown)
  const code = field(thrown, 'code')
  const constraint = field(thrown, 'constraint')
  const inner = depth < deepest
  return {
    type: thrown.name,
    message: withoutParameters(thrown.message),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    stack: framesOf(thrown.stack),
    ...(inner && thrown.cause !== undefined && { cause: facts(thrown.cause, depth + 1) }),
    ...(inner &&
      thrown instanceof AggregateError && { errors: thrown.errors.map((each) => facts(each, depth + 1)) }),
  }
}

function field(error: Error, key: string): string | number | undefined {
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** drizzle's message ends with the values of the statement: hashes of passwords, ids of sessions. */
const withoutParameters = (message: string) => message.replace(/\nparams: [\s\S]*$/, '')

/** What somebody at a terminal is told of an error: its message, and that of the fault behind a statement. */
export function sentenceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  // Of a connection that was refused at every address.
  if (thrown instanceof AggregateError && thrown.message === '')
    return thrown.errors.map(sentenceOf).join('; ')
  const message = withoutParameters(thrown.message)
  if (message === thrown.message || !(thrown.cause instanceof Error)) return message || thrown.name
  return `${sentenceOf(thrown.cause)}\n${message}`
}

/** The message stands in front of them once more, parameters included. */
const framesOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
