import { type Message, type MessageParams, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'

type StoredMessage<Field extends string> = { readonly [Key in Field | `${Field}_code`]: string | null } & {
  readonly [Key in `${Field}_params`]: MessageParams | null
}

/** The columns of a stored message: its English sentence, its code and its parameters. */
export const storedMessage = <Field extends string>(field: Field, codedMessage: Message | null) =>
  ({
    [field]: codedMessage && englishText(codedMessage),
    [`${field}_code`]: codedMessage?.code ?? null,
    [`${field}_params`]: codedMessage?.params ?? null,
  }) as StoredMessage<Field>

/** The message in the columns of `storedMessage('error', …)`; a row without a code has only the sentence. */
export const readStoredError = ({
  error,
  error_code: code,
  error_params: params,
}: StoredMessage<'error'>): Message =>
  code === null ? message('service_failed', { reason: error ?? '' }) : { code, params: params ?? undefined }

/** The columns of stored problems: their English sentences and the messages. */
export const storedProblems = (problems: readonly Message[]) => ({
  problems: problems.map(englishText),
  problem_codes: [...problems],
})
