import { callMessages } from './calls.ts'
import { formatMessage } from './format.ts'
import { type Message, readIssue } from './message.ts'
import { reasonMessages } from './reasons.ts'

/** By code; the placeholders are i18next's, so that the web app uses the same texts. */
export const englishMessages = { ...callMessages, ...reasonMessages } as const

const texts: Readonly<Record<string, string>> = englishMessages

/** A message in English; its code if unknown. */
export const englishText = (message: Message): string => formatMessage(message, texts)

/** The English text of a zod issue, whether it is coded or not. */
export function issueText(text: string): string {
  const codedMessage = readIssue(text)
  return codedMessage === null ? text : englishText(codedMessage)
}
