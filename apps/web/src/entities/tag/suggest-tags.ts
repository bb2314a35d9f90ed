import type { Message } from '@kustos/contract/messages'
import {
  changeTags,
  joinTag,
  maxTagNameLength,
  readTagValue,
  sortTags,
  splitTag,
  type Tag,
  type TagType,
} from '@kustos/contract/tags'

export interface Suggestion {
  /** As it would be carried. */
  readonly tag: string
  /** Undefined for one that the catalogue lacks. */
  readonly known: Tag | undefined
  /** Why it can't be added. */
  readonly error?: Message
}

/** Shown at most; more text narrows them down. */
const maxShown = 30

/** Adds a tag: to what carries tags it replaces the one of its name, while a condition may name several values. */
export const addTag = (tags: readonly string[], tag: string, isCondition: boolean): string[] =>
  isCondition ? sortTags([...new Set([...tags, tag])]) : changeTags(tags, [tag])

/** The type of a tag that is added to the catalogue while it is typed. */
export const newTagType = (tag: string): TagType => (splitTag(tag).value === null ? 'none' : 'text')

/** A typed tag, spelled as those of the catalogue. */
export function readTyped(typed: string): string {
  const { name, value } = splitTag(typed.trim())
  return joinTag(name.trim().normalize('NFKC').toLowerCase(), value?.trim() || null)
}

/**
 * What a typed text may mean, the most likely first: known tags, their values, and a tag that is not known yet.
 * @param carried is not suggested again
 */
export function suggestTags(
  tags: readonly Tag[],
  typed: string,
  carried: readonly string[],
): readonly Suggestion[] {
  const wanted = readTyped(typed)
  const { name, value } = splitTag(wanted)
  const known = tags.find((tag) => tag.name === name)
  const found =
    typed.includes(':') && known !== undefined
      ? valuesOf(known, value ?? '')
      : tags.filter((tag) => tag.name.includes(name)).flatMap(withOptions)
  const rank = ({ tag }: Suggestion) => (tag === wanted ? 0 : tag.startsWith(name) ? 1 : 2)
  const shown = found
    .filter(({ tag }) => !carried.includes(tag))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, maxShown)
  const isNew = known === undefined && name !== '' && name.length <= maxTagNameLength
  return isNew ? [...shown, { tag: wanted, known: undefined }] : shown
}

const withOptions = (known: Tag): readonly Suggestion[] => [
  { tag: known.name, known },
  ...known.options.map((option) => ({ tag: joinTag(known.name, option), known })),
]

/** The values of a tag that the beginning of one may mean. */
function valuesOf(known: Tag, value: string): readonly Suggestion[] {
  const options = known.options.filter((option) => option.toLowerCase().includes(value.toLowerCase()))
  if (options.length > 0) return options.map((option) => ({ tag: joinTag(known.name, option), known }))
  if (value === '') return [{ tag: known.name, known }]
  const read = readTagValue(known, value)
  return 'error' in read
    ? [{ tag: joinTag(known.name, value), known, error: read.error }]
    : [{ tag: joinTag(known.name, read.value), known }]
}
