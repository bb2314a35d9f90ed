const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
const isAscii = (text: string) => /^[\u0000-\u007f]*$/.test(text)
const stripMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')

/** Spellings of a text without umlauts and accents: Müller is mueller or muller. */
export function spellingsOf(text: string): readonly string[] {
  if (isAscii(text)) return [text.toLowerCase()]
  const lower = text.normalize('NFC').toLowerCase()
  const transliterated = stripMarks(lower.replace(/[äöüß]/g, (letter) => umlauts[letter] ?? letter))
  return [...new Set([transliterated, stripMarks(lower)])]
}

/** Separates texts and is never part of a query. */
const separator = '\u0000'

/** An item with its searchable texts, prepared once. */
export interface SearchItem<Item> {
  readonly item: Item
  readonly names: string
  /** Texts that find it, too, but rank lower. */
  readonly others: string
}

const joinTexts = (texts: readonly string[]) =>
  separator + texts.flatMap(spellingsOf).join(separator) + separator

export const createSearchItem = <Item>(
  item: Item,
  names: readonly string[],
  others: readonly string[],
): SearchItem<Item> => ({ item, names: joinTexts(names), others: joinTexts(others) })

/** From best to worst: exact, prefix, word prefix, substring, all words separately. */
export type Rank = 0 | 1 | 2 | 3 | 4
const rankCount = 5

/** Matches in an item's own names come before others of the same rank. */
const slotOf = (rank: Rank, isOwn: boolean) => 2 * rank + (isOwn ? 0 : 1)

const isWordStart = (text: string, at: number) => !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))

function rankIn(text: string, query: string): Rank | null {
  if (!text.includes(query)) return null
  if (text.includes(separator + query + separator)) return 0
  if (text.includes(separator + query)) return 1
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + 1))
    if (isWordStart(text, at)) return 2
  return 3
}

export interface SearchResult<Item> {
  /** Best first; equal ranks keep the given order. */
  readonly items: readonly Item[]
  /** Number of matches, including those beyond the limit. */
  readonly count: number
  /** Rank of the first match; null without matches. */
  readonly best: Rank | null
}

/**
 * Finds items by a part of a text, or by several words in any order.
 * @param more alternative spellings of the query
 */
export function search<Item>(
  list: readonly SearchItem<Item>[],
  query: string,
  limit: number,
  more: readonly string[] = [],
): SearchResult<Item> {
  const trimmed = query.trim().replaceAll(separator, '')
  if (trimmed === '') return { items: [], count: 0, best: null }
  const queries = [trimmed, ...more].flatMap(spellingsOf)
  const words = trimmed.split(/\s+/).map(spellingsOf)
  const slots: Item[][] = Array.from({ length: 2 * rankCount }, () => [])
  let count = 0
  for (const entry of list) {
    const slot = bestSlot(entry, queries, words)
    if (slot === null) continue
    count += 1
    const held = slots[slot]
    if (held !== undefined && held.length < limit) held.push(entry.item)
  }
  const first = slots.findIndex(({ length }) => length > 0)
  const best = first === -1 ? null : (Math.floor(first / 2) as Rank)
  return { items: slots.flat().slice(0, limit), count, best }
}

function bestSlot(
  { names, others }: SearchItem<unknown>,
  queries: readonly string[],
  words: readonly (readonly string[])[],
): number | null {
  const slots = queries.flatMap((query) => {
    const [own, other] = [rankIn(names, query), rankIn(others, query)]
    return [...(own === null ? [] : [slotOf(own, true)]), ...(other === null ? [] : [slotOf(other, false)])]
  })
  if (slots.length > 0) return Math.min(...slots)
  const isIn = (spelling: string) => names.includes(spelling) || others.includes(spelling)
  return words.length > 1 && words.every((spellings) => spellings.some(isIn)) ? slotOf(4, true) : null
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
