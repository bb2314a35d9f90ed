/** Returns Node's or a library's code of an error, or an empty string. */
export function readErrorCode(thrown: unknown): string {
  const error: unknown = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export const findByCode = <Entry>(table: Readonly<Record<string, Entry>>, code: string): Entry | undefined =>
  table[code]
