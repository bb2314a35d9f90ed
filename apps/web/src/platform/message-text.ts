import type { DeploymentKind } from '@kustos/contract/deployment'
import { type Message, type MessageParams, readIssue } from '@kustos/contract/messages'
import i18next from 'i18next'
import { ApiError } from './api-error.ts'
import { fieldName } from './field-name.ts'

/** The label of a deployment's kind; the kind itself if unknown. */
const actionName = (kind: string): string =>
  i18next.t(`actions.${kind as DeploymentKind}.label`, { defaultValue: kind })

/** The parameters that name something by its code, as they are shown. */
const namedParams: Readonly<Record<string, (text: string) => string>> = {
  kind: actionName,
  fields: (fields) =>
    fields
      .split(', ')
      .map((field) => fieldName(i18next.t, field))
      .join(', '),
}

/** A message in the user's language; undefined if the catalogue lacks it, as those of a newer server. */
export function messageText({ code, params = {} }: Message): string | undefined {
  const key = `messages.${code}`
  if (!i18next.exists(key, params)) return undefined
  const texts: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(params)) {
    const text = typeof value === 'object' ? messageText(value) : value
    if (text === undefined) return undefined
    texts[name] = namedParams[name]?.(String(text)) ?? text
  }
  return i18next.t(key as 'messages.invalid', texts)
}

/** A stored message; its English sentence if the code is missing or unknown. */
export function storedText(sentence: string | null, code: string | null, params: MessageParams | null) {
  const text = code === null ? undefined : messageText({ code, params: params ?? undefined })
  return text ?? sentence ?? ''
}

/** Like `storedText` for several messages. */
export const storedTexts = (sentences: readonly string[], codes: readonly Message[]): string[] =>
  sentences.map((sentence, index) => {
    const codedMessage = codes[index]
    return (codedMessage && messageText(codedMessage)) ?? sentence
  })

/**
 * Why a call failed, in English if the catalogue lacks its code.
 * @throws errors other than ApiError
 */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.code !== 'invalid_input') return messageText(error) ?? error.error ?? error.message
  const [first, ...more] = Object.values(fieldTexts(error)).flat()
  if (first === undefined) return error.message
  return more.length === 0 ? first : i18next.t('form.moreErrors', { first, count: more.length })
}

/** Errors of a call's fields, by field. */
export const fieldTexts = ({ errors, errorCodes }: ApiError): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(errors).map(([field, sentences]) => [
      field,
      storedTexts(sentences, errorCodes[field] ?? []),
    ]),
  )

/** The text of an error of the contract's schemas. */
export function issueText(text: string): string {
  const codedMessage = readIssue(text)
  return (codedMessage && messageText(codedMessage)) ?? text
}
