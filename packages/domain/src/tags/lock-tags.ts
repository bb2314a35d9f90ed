import { type Message, message } from '@kustos/contract/messages'
import { readTagValue, sortTags, splitTag, type TagRule, tagName } from '@kustos/contract/tags'
import { tags } from '@kustos/database/tables'
import { inArray } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { type DomainError, invalid } from '../platform/errors.ts'

/** The columns of a `TagRule`. */
export const ruleColumns = { name: tags.name, type: tags.type, options: tags.options }

/** Only parsed input is written there. */
export const asRule = (row: { name: string; type: string; options: string[] }) => row as TagRule

/**
 * Keeps tags from being changed and deleted before the transaction ends, and reads their values as those of their types. Has to
 * come before the locks of what carries them, since a change of a tag locks both in this order.
 * @returns the tags as they are stored
 * @throws DomainError as `reject` makes it, for an unknown tag and a value of another type; by default invalid, for the field `tags`
 */
export async function lockTags(
  { db }: Pick<Scope, 'db'>,
  carried: readonly string[],
  reject: (reason: Message) => DomainError = (reason) => invalid({ tags: reason }),
): Promise<string[]> {
  if (carried.length === 0) return []
  const read = readTags(await lockTagRules(db, carried), carried)
  if ('error' in read) throw reject(read.error)
  return read.tags
}

/** Locks tags as `lockTags` does. @returns the rules of those that there are */
export async function lockTagRules(db: Scope['db'], carried: readonly string[]): Promise<TagRule[]> {
  const rows = await db
    .select(ruleColumns)
    .from(tags)
    .where(inArray(tags.name, [...new Set(carried.map(tagName))]))
    .orderBy(tags.id)
    .for('key share')
  return rows.map(asRule)
}

/** The input of a form whose tags are checked and locked, if there are any. @throws DomainError as `lockTags` */
export async function lockGivenTags<Input extends { readonly tags?: string[] | undefined }>(
  scope: Pick<Scope, 'db'>,
  input: Input,
  reject?: (reason: Message) => DomainError,
): Promise<Input> {
  return input.tags === undefined ? input : { ...input, tags: await lockTags(scope, input.tags, reject) }
}

/** @returns tags as they are stored; or why one of them is none */
export function readTags(
  rules: readonly TagRule[],
  carried: readonly string[],
): { readonly tags: string[] } | { readonly error: Message } {
  const known = new Map(rules.map((rule) => [rule.name, rule]))
  const stored: string[] = []
  for (const tag of carried) {
    const { name, value } = splitTag(tag)
    const rule = known.get(name)
    if (rule === undefined) return { error: message('tag_unknown', { name }) }
    const read = readTagValue(rule, value)
    if ('error' in read) return read
    stored.push(read.value === null ? name : `${name}:${read.value}`)
  }
  return { tags: sortTags(stored) }
}
