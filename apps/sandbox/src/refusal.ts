/** A start that cannot be; the message is the one sentence that staff get to read. */
export class Refusal extends Error {}

/** What went wrong, in one line. Node's errors of several addresses have no message of their own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  // Drizzle wraps what Postgres said into the statement's text.
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause)
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n')[0] ?? '').trim() || 'no reason given'
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
