/** Markup that may be put into a document as it is. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Part[] | null | false

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Controls, halves of surrogate pairs, what changes the direction of text, and what nobody can see. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu

const showCodePoint = (character: string) =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Text for elements and quoted attributes. */
export const escapeText = (text: string): string =>
  text.replace(invisible, showCodePoint).replace(/[&<>"'`]/g, (sign) => entities[sign] ?? '')

function toMarkup(part: Part): string {
  if (part === null || part === false) return ''
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(toMarkup).join('')
  return escapeText(String(part))
}

/** Markup from a template whose values are escaped unless they are markup; lists are joined. */
export const html = (texts: TemplateStringsArray, ...values: readonly Part[]): Markup => ({
  markup: texts.reduce((before, text, index) => `${before}${toMarkup(values[index - 1] ?? null)}${text}`),
})

/** Markup that is no input of anybody, such as a style sheet. */
export const trusted = (markup: string): Markup => ({ markup })

const maxShownLength = 600

/** For texts in sentences that a page has chosen. */
export const cut = (text: string): string =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text

/** A text that a page has chosen: cut, and without influence on the direction of what surrounds it. */
export const quote = (text: string): Markup => html`<code dir="ltr">${cut(text)}</code>`

/** The same in the type of sentences. */
export const isolate = (text: string): Markup => html`<bdi>${cut(text)}</bdi>`
