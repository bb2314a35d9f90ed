import type { Message } from './message.ts'

/** A message in the language of the texts; its code if they lack it. */
export const formatMessage = (
  { code, params = {} }: Message,
  texts: Readonly<Record<string, string | undefined>>,
): string =>
  (texts[code] ?? code).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = params[name]
    return typeof value === 'object' ? formatMessage(value, texts) : String(value)
  })
