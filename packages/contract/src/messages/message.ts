import type { englishMessages } from './english.ts'

export type MessageCode = keyof typeof englishMessages

export type MessageParams = Readonly<Record<string, string | number | Message>>

/** A text of the catalogues with its parameters. */
export interface Message {
  /** One of `MessageCode`, or of another release. */
  readonly code: string
  readonly params?: MessageParams | undefined
}

type Placeholders<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type ParamNames<Code extends MessageCode> = Placeholders<(typeof englishMessages)[Code]>

type ParamsOf<Code extends MessageCode> = Readonly<Record<ParamNames<Code>, string | number | Message>>

/** A message whose code and parameters match an English text. */
export type KnownMessage = {
  [Code in MessageCode]: [ParamNames<Code>] extends [never]
    ? { readonly code: Code; readonly params?: undefined }
    : { readonly code: Code; readonly params: ParamsOf<Code> }
}[MessageCode]

/** A code, and the parameters of its English text. */
export type MessageArguments = {
  [Code in MessageCode]: [ParamNames<Code>] extends [never]
    ? [code: Code, params?: undefined]
    : [code: Code, params: ParamsOf<Code>]
}[MessageCode]

export const message = (...[code, params]: MessageArguments): Message =>
  params === undefined ? { code } : { code, params }

/** A message as the text of a zod issue, which `readIssue` reads again. */
export const issue = (...args: MessageArguments): string => JSON.stringify(message(...args))

/** The inverse of `issue`; null for other texts. */
export function readIssue(text: string): Message | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return isMessage(parsed) ? parsed : null
  } catch {
    return null
  }
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'
