import type { Message, MessageParams } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'

type StoredMessage<Field extends string> = { readonly [Key in Field | `${Field}_code`]: string | null } & {
  readonly [Key in `${Field}_params`]: MessageParams | null
}

/** The columns of a stored message: its English sentence, its code and its parameters. */
export const storedMessage = <Field extends string>(field: Field, said: Message | null) =>
  ({
    [field]: said && englishText(said),
    [`${field}_code`]: said?.code ?? null,
    [`${field}_params`]: said?.params ?? null,
  }) as StoredMessage<Field>

/** The columns of stored problems: their English sentences and the messages. */
export const storedProblems = (problems: readonly Message[]) => ({
  problems: problems.map(englishText),
  problem_codes: [...problems],
})
