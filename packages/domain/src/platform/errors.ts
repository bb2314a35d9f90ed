import { type Message, type MessageArguments, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { z } from 'zod'

/** Why a request is rejected. The API maps each kind to an HTTP status. */
export type DomainErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  | 'unconfirmed'
  | 'too-many'
  | 'upstream'
  | 'unavailable'

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
  readonly codedMessage: Message
  readonly details: Details

  constructor(
    kind: DomainErrorKind,
    codedMessage: Message,
    details: Details = {},
    sentence = englishText(codedMessage),
  ) {
    super(sentence)
    this.kind = kind
    this.codedMessage = codedMessage
    this.details = details
  }
}

export const notFound = (...args: MessageArguments) => new DomainError('not-found', message(...args))

export const conflict = (...args: MessageArguments) => new DomainError('conflict', message(...args))

export const forbidden = (...args: MessageArguments) => new DomainError('forbidden', message(...args))

/** Forbidden because of what is requested rather than who requests it, so the user is told why. */
export const forbiddenWithReason = (codedMessage: Message, field?: string) =>
  new DomainError('forbidden', codedMessage, {
    ...(field !== undefined && { errors: { [field]: [codedMessage] } }),
    isAlert: true,
  })

/** A required external service is down or refuses. */
export const upstreamError = (...args: MessageArguments) => new DomainError('upstream', message(...args))

/** @param errors a message by field */
export const invalid = (errors: Readonly<Record<string, Message>>) =>
  new DomainError(
    'invalid',
    message('invalid_input'),
    { errors: Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, [error]])) },
    Object.values(errors).map(englishText).join(' '),
  )

/** Rejects a field with a message that is shown outside of the form as well. */
export const refusedField = (field: string, ...args: MessageArguments) =>
  new DomainError('invalid', message(...args), { errors: { [field]: [message(...args)] }, isAlert: true })

/** PostgreSQL's error for a violated unique index. */
const uniqueViolation = z.object({ code: z.literal('23505'), constraint: z.string() })

/** Runs work that a unique index may reject, also because of another transaction. @param errors by index */
export async function mapUniqueViolation<T>(
  errors: Readonly<Record<string, () => Error>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Drizzle keeps the error of Postgres as the cause.
    const violation = uniqueViolation.safeParse(error instanceof Error ? (error.cause ?? error) : error)
    throw errors[violation.data?.constraint ?? '']?.() ?? error
  }
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
