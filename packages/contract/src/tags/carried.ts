import { type Message, message } from '../messages/message.ts'
import type { TagRule } from './states.ts'

/** The name and the value of a tag such as `contract:gold`; the value is null for one such as `legal`. */
export function splitTag(tag: string): { readonly name: string; readonly value: string | null } {
  const colon = tag.indexOf(':')
  return colon === -1
    ? { name: tag, value: null }
    : { name: tag.slice(0, colon), value: tag.slice(colon + 1) }
}

export const joinTag = (name: string, value: string | null): string =>
  value === null ? name : `${name}:${value}`

export const tagName = (tag: string): string => splitTag(tag).name

/** In the order in which tags are stored, so that equal sets of tags are equal lists. */
export const sortTags = (tags: readonly string[]): string[] => tags.toSorted()

/** Whether a tag such as `contract:gold` is meant by `contract`, which means every value, or by itself. */
const isTag = (tag: string, wanted: string): boolean => tag === wanted || tag.startsWith(`${wanted}:`)

/**
 * Adds tags to those that something carries, and takes others away. An added tag replaces the one of its name; one that is both
 * added and removed is added.
 * @param removed with a value only if it has this value
 */
export function changeTags(
  held: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] {
  const replaced = new Set(added.map(tagName))
  // Values that were stored before letters were composed are meant as well.
  const isRemoved = (tag: string) =>
    removed.some((one) => isTag(tag, one) || isTag(tag.normalize('NFC'), one))
  const kept = held.filter((tag) => !replaced.has(tagName(tag)) && !isRemoved(tag))
  return sortTags([...kept, ...added])
}

const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/

function isDate(value: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value)
}

/**
 * Reads a value as one of its tag's type.
 * @returns the value as it is stored, in the spelling of the list; or why it is none
 */
export function readTagValue(
  { name, type, options }: TagRule,
  value: string | null,
): { readonly value: string | null } | { readonly error: Message } {
  if (value === null || type === 'text') return { value }
  if (type === 'list') {
    const folded = (text: string) => text.normalize('NFC').toLowerCase()
    const option = options.find((known) => folded(known) === folded(value))
    return option === undefined
      ? { error: message('tag_value_unlisted', { name, values: options.join(', ') }) }
      : { value: option }
  }
  if (type === 'none') return { error: message('tag_value_unexpected', { name }) }
  if (type === 'number')
    return number.test(value) ? { value } : { error: message('tag_value_no_number', { name }) }
  return isDate(value) ? { value } : { error: message('tag_value_no_date', { name }) }
}
