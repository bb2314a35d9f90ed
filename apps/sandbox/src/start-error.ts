/** The sandbox cannot start; the message is the one sentence that it prints before it exits. */
export class StartError extends Error {}

export function describeError(error: unknown): string {
  // Node's error for a host with several addresses has no message of its own.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  // Drizzle's message is the statement; its cause is what Postgres said.
  if (error instanceof Error && error.cause instanceof Error) return describeError(error.cause)
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n')[0] ?? '').trim() || 'unknown reason'
}

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
