const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
const isAscii = (text: string) => /^[\u0000-\u007f]*$/.test(text)
const stripMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')

/** Spellings of a text without umlauts and accents: Müller is mueller or muller. */
export function spellingsOf(text: string): readonly string[] {
  if (isAscii(text)) return [text.toLowerCase()]
  const lower = text.normalize('NFC').toLowerCase()
  const spelledOut = stripMarks(lower.replace(/[äöüß]/g, (letter) => umlauts[letter] ?? letter))
  return [...new Set([spelledOut, stripMarks(lower)])]
}

/** Separates texts and is never part of a query. */
const edge = '\u0000'

/** A thing with its searchable texts, prepared once. */
export interface Findable<Thing> {
  readonly thing: Thing
  readonly text: string
  /** Index in `text` where the thing's own names end. */
  readonly own: number
}

const joinSpellings = (texts: readonly string[]) => texts.flatMap(spellingsOf).join(edge)

/**
 * @param own its names
 * @param others texts that find it too, ranked lower
 */
export function findable<Thing>(
  thing: Thing,
  own: readonly string[],
  others: readonly string[],
): Findable<Thing> {
  const before = edge + joinSpellings(own) + edge
  return {
    thing,
    text: others.length === 0 ? before : before + joinSpellings(others) + edge,
    own: before.length,
  }
}

/** From best to worst: exact, prefix, word prefix, substring, all words separately. */
export type Rank = 0 | 1 | 2 | 3 | 4
const rankCount = 5

/** Matches in a thing's own names come before others of the same rank. */
const slotOf = (rank: Rank, isOwn: boolean) => 2 * rank + (isOwn ? 0 : 1)

const isWordStart = (text: string, at: number) => !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))

/** A query with its variants, prepared once for the whole list. */
interface Needle {
  readonly part: string
  readonly beginning: string
  readonly exact: string
}

const needleOf = (form: string): Needle => ({
  part: form,
  beginning: edge + form,
  exact: edge + form + edge,
})

function slotIn({ text, own }: Findable<unknown>, needle: Needle): number | null {
  const part = text.indexOf(needle.part)
  if (part === -1) return null
  const beginning = text.indexOf(needle.beginning)
  const exact = beginning === -1 ? -1 : text.indexOf(needle.exact, beginning)
  if (exact !== -1) return slotOf(0, exact + 1 < own)
  if (beginning !== -1) return slotOf(1, beginning + 1 < own)
  for (let at = part; at !== -1; at = text.indexOf(needle.part, at + 1))
    if (isWordStart(text, at)) return slotOf(2, at < own)
  return slotOf(3, part < own)
}

export interface SearchResult<Thing> {
  /** Best first; equal ranks keep the given order. */
  readonly things: readonly Thing[]
  /** Number of matches, including those beyond the limit. */
  readonly count: number
  /** Rank of the first match; null without matches. */
  readonly best: Rank | null
}

/**
 * Finds things by a part of a text, or by several words in any order.
 * @param more alternative spellings of the query
 */
export function search<Thing>(
  list: readonly Findable<Thing>[],
  query: string,
  limit: number,
  more: readonly string[] = [],
): SearchResult<Thing> {
  const trimmed = query.trim().replaceAll(edge, '')
  if (trimmed === '') return { things: [], count: 0, best: null }
  const needles = [trimmed, ...more].flatMap(spellingsOf).map(needleOf)
  const words = trimmed.split(/\s+/).map(spellingsOf)
  const slots: Thing[][] = Array.from({ length: 2 * rankCount }, () => [])
  let count = 0
  for (const entry of list) {
    const slot = bestSlot(entry, needles, words)
    if (slot === null) continue
    count += 1
    const held = slots[slot]
    if (held !== undefined && held.length < limit) held.push(entry.thing)
  }
  const first = slots.findIndex(({ length }) => length > 0)
  const best = first === -1 ? null : (Math.floor(first / 2) as Rank)
  return { things: slots.flat().slice(0, limit), count, best }
}

function bestSlot(
  entry: Findable<unknown>,
  needles: readonly Needle[],
  words: readonly (readonly string[])[],
): number | null {
  let best: number | null = null
  for (const needle of needles) {
    const slot = slotIn(entry, needle)
    if (slot !== null) best = Math.min(best ?? slot, slot)
  }
  if (best !== null || words.length < 2) return best
  const hasAll = words.every((forms) => forms.some((form) => entry.text.includes(form)))
  return hasAll ? slotOf(4, true) : null
}

/** Splits a query such as "seehof edit" into a web and an action, in every possible way. */
export function splitQuery(query: string): readonly { readonly web: string; readonly action: string }[] {
  const words = query.trim().split(/\s+/)
  return words.slice(1).map((_, index) => ({
    web: words.slice(0, words.length - 1 - index).join(' '),
    action: words.slice(words.length - 1 - index).join(' '),
  }))
}

const firstWith = (texts: readonly string[], queries: readonly string[]): string | undefined => {
  const forms = queries.flatMap(spellingsOf).filter((form) => form !== '')
  return texts.find((text) => spellingsOf(text).some((own) => forms.some((form) => own.includes(form))))
}

/**
 * The text that explains a match; undefined if the shown texts already do.
 * @param more alternative spellings of the query
 */
export function explainMatch(
  shown: readonly string[],
  others: readonly string[],
  query: string,
  more: readonly string[] = [],
): string | undefined {
  const queries = [query.trim(), ...more]
  if (firstWith(shown, queries) !== undefined) return undefined
  const words = query.trim().split(/\s+/)
  const unseen = words.filter((word) => firstWith(shown, [word]) === undefined)
  return firstWith(others, queries) ?? firstWith(others, unseen)
}
