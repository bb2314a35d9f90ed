import { type Message, type MessageArguments, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'

/** Why a request is rejected. The API maps each kind to an HTTP status. */
export type DomainErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  | 'too-many'
  | 'upstream'
  | 'away'

interface Details {
  /** Messages by field. */
  readonly errors?: Readonly<Record<string, readonly Message[]>>
  /** Whether the answer repeats the message as `error`, outside of its field. */
  readonly isAlert?: boolean
  readonly retryAfterSeconds?: number
}

/** A refusal or failure that users see; its own `message` is the English sentence. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly kind: DomainErrorKind
  readonly said: Message
  readonly details: Details

  constructor(kind: DomainErrorKind, said: Message, details: Details = {}, sentence = englishText(said)) {
    super(sentence)
    this.kind = kind
    this.said = said
    this.details = details
  }
}

export const notFound = (...said: MessageArguments) => new DomainError('not-found', message(...said))

export const conflict = (...said: MessageArguments) => new DomainError('conflict', message(...said))

export const forbidden = (...said: MessageArguments) => new DomainError('forbidden', message(...said))

/** Forbidden because of what is requested rather than who requests it, so the user is told why. */
export const forbiddenWithReason = (said: Message, field?: string) =>
  new DomainError('forbidden', said, {
    ...(field !== undefined && { errors: { [field]: [said] } }),
    isAlert: true,
  })

/** A required external service is down or refuses. */
export const upstream = (...said: MessageArguments) => new DomainError('upstream', message(...said))

/** @param errors a message by field */
export const invalid = (errors: Readonly<Record<string, Message>>) =>
  new DomainError(
    'invalid',
    message('invalid_input'),
    { errors: Object.fromEntries(Object.entries(errors).map(([field, said]) => [field, [said]])) },
    Object.values(errors).map(englishText).join(' '),
  )

/** Rejects a field with a message that is shown outside of the form as well. */
export const refusedField = (field: string, ...said: MessageArguments) =>
  new DomainError('invalid', message(...said), { errors: { [field]: [message(...said)] }, isAlert: true })

/** Whether a statement failed on this unique index. Drizzle keeps the error of Postgres as the cause. */
export function violatesUnique(error: unknown, index: string): boolean {
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

export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** The message of an error, or the first one of an aggregate that has none, as when no address of a host answers. */
export function errorMessage(thrown: unknown): string {
  const { message } = toError(thrown)
  if (message !== '') return message
  return thrown instanceof AggregateError && thrown.errors.length > 0
    ? errorMessage(thrown.errors[0])
    : String(thrown)
}
