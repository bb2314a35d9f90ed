import { callMessages } from './calls.ts'
import { type Message, readIssue } from './message.ts'
import { reasonMessages } from './reasons.ts'

/** By code; the placeholders are i18next's, so that the web app uses the same texts. */
export const englishMessages = { ...callMessages, ...reasonMessages } as const

const texts: Readonly<Record<string, string>> = englishMessages

/** A message in English; its code if unknown. */
export const englishText = ({ code, params = {} }: Message): string =>
  (texts[code] ?? code).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = params[name]
    return typeof value === 'object' ? englishText(value) : String(value)
  })

/** The English text of a zod issue, whether it is coded or not. */
export function issueText(text: string): string {
  const codedMessage = readIssue(text)
  return codedMessage === null ? text : englishText(codedMessage)
}
