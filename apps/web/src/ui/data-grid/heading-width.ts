import type { Column } from '@kustos/contract/grid'

/** Pixels of the letters of headings (Inter, semi-bold, 13 px), rounded up by groups. */
const letterGroups = [
  { letters: /[ijlI.,:’' ]/, width: 3.7 },
  { letters: /[frt1()/_-]/, width: 5.3 },
  { letters: /[mwMW]/, width: 12 },
  { letters: /\p{Lu}/u, width: 9.5 },
] as const
const otherWidth = 7.9

const letterWidth = (letter: string) =>
  letterGroups.find(({ letters }) => letters.test(letter))?.width ?? otherWidth

/** The paddings of a heading, and its filter button, as in `data-grid.module.css`. */
const paddings = { text: 10, number: 8 } as const
const filterWidths = { text: 34, number: 28 } as const

const textWidth = (text: string) => [...text].reduce((sum, letter) => sum + letterWidth(letter), 0)

/** The pixels of a text that is broken after a space or a hyphen, so that its longer line is as short as possible. */
function foldedWidth(text: string): number {
  const words = text.split(/(?<=[ -])/)
  const widthOf = (part: readonly string[]) => textWidth(part.join('').trimEnd())
  return Math.min(
    ...words.map((_, index) => Math.max(widthOf(words.slice(0, index)), widthOf(words.slice(index)))),
  )
}

/**
 * The pixels of a column's heading on one line, and on two. They are estimated from its letters: measuring it would need the font,
 * which is loaded later, and a layout of the page.
 */
export function headingWidths({
  label,
  kind,
  displayOnly,
}: Pick<Column<never>, 'label' | 'kind' | 'displayOnly'>) {
  const alignment = kind === 'number' || kind === 'bytes' ? 'number' : 'text'
  const beside = paddings[alignment] + (displayOnly ? 0 : filterWidths[alignment])
  return { whole: Math.ceil(textWidth(label) + beside), folded: Math.ceil(foldedWidth(label) + beside) }
}
