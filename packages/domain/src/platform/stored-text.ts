import type { GridLanguage } from '@kustos/contract/grid'
import type { Message } from '@kustos/contract/messages'
import { englishMessages } from '@kustos/contract/messages/english'
import { formatMessage } from '@kustos/contract/messages/format'
import german from '@kustos/contract/messages/messages.de.json' with { type: 'json' }

type Texts = Readonly<Record<string, string>>

const catalogues: Readonly<Record<GridLanguage, Texts>> = { en: englishMessages, de: german }

const isKnown = (texts: Texts, { code, params = {} }: Message): boolean =>
  Object.hasOwn(texts, code) &&
  Object.values(params).every((value) => typeof value !== 'object' || isKnown(texts, value))

/** A stored message as the console shows it: in the language if its catalogue has it, otherwise its English sentence. */
export function storedText(
  sentence: string,
  codedMessage: Message | null | undefined,
  language: GridLanguage,
): string {
  const texts = catalogues[language]
  return codedMessage && isKnown(texts, codedMessage) ? formatMessage(codedMessage, texts) : sentence
}
