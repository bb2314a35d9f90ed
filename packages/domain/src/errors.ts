/** What can be wrong with a request, in the domain's terms; the API turns each into its HTTP answer. */
export type DomainErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  | 'too-many'
  | 'upstream'
  | 'away'

interface Details {
  /** Field to messages. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
  /** Whether staff are told the sentence itself too (as `error`), and not only under its field. */
  readonly isAlert?: boolean
  /** In whole seconds. */
  readonly retryAfter?: number
}

export class DomainError extends Error {
  readonly code: DomainErrorCode
  readonly details: Details

  /** @param sentence for staff */
  constructor(code: DomainErrorCode, sentence: string, details: Details = {}) {
    super(sentence)
    this.name = 'DomainError'
    this.code = code
    this.details = details
  }
}

export const notFound = (what: string) => new DomainError('not-found', `${what} was not found.`)

export const conflict = (sentence: string) => new DomainError('conflict', sentence)

export const forbidden = (sentence: string) => new DomainError('forbidden', sentence)

/** A refusal whose sentence staff are told, since it is not about the call but about what it asks for. @param field to blame */
export const beyond = (sentence: string, field?: string) =>
  new DomainError('forbidden', sentence, {
    ...(field !== undefined && { errors: { [field]: [sentence] } }),
    isAlert: true,
  })

/** An outside system that the call needs is away or refuses. @param sentence names it */
export const upstream = (sentence: string) => new DomainError('upstream', sentence)

/** @param errors field to message */
export const invalid = (errors: Readonly<Record<string, string>>) =>
  new DomainError('invalid', Object.values(errors).join(' '), {
    errors: Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]])),
  })

/** A field that is refused with a sentence which staff are told outright as well. */
export const refusedField = (field: string, sentence: string) =>
  new DomainError('invalid', sentence, { errors: { [field]: [sentence] }, isAlert: true })

/** Whether a statement failed on this unique index; drizzle keeps Postgres' error as the cause. */
export function brokeUnique(error: unknown, index: string): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'code' in cause &&
    cause.code === '23505' &&
    'constraint' in cause &&
    cause.constraint === index
  )
}

/** What was thrown, as an error: anything can be. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** Why something failed, in its own words; where it failed in several ways, as at each address of a name, the first. */
export function reasonOf(thrown: unknown): string {
  const { message } = asError(thrown)
  if (message !== '') return message
  return thrown instanceof AggregateError && thrown.errors.length > 0
    ? reasonOf(thrown.errors[0])
    : String(thrown)
}
