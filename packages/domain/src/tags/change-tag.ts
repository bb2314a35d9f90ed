import { message } from '@kustos/contract/messages'
import {
  joinTag,
  type NewTag,
  readTagValue,
  type Tag,
  type TagChange,
  type TagMerge,
  type TagRule,
} from '@kustos/contract/tags'
import { tags } from '@kustos/database/tables'
import { eq, inArray } from 'drizzle-orm'
import { moveCheck, readLostCheck } from '../checks/index.ts'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import { findConditionUse } from '../platform/condition-use.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, invalid, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { rewriteTagConditions, rewriteTagViews } from './conditions.ts'
import { presentTag } from './list.ts'
import { asRule } from './lock-tags.ts'
import { namesTag } from './names-tag.ts'
import { readCarriedValues, rewriteTags } from './rewrite.ts'

const entry = entriesOf('tags', 'tag')

type Row = typeof tags.$inferSelect

/** How many values an error names. */
const maxNamed = 5

const withFreeName = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation({ tags_name_unique: () => invalid({ name: message('tag_taken') }) }, work)

/** @throws DomainError invalid, for name, if there is such a tag */
export const createTag = (context: Context, input: NewTag): Promise<Tag> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      const now = tx.now()
      const [row] = await tx.db
        .insert(tags)
        .values({ ...input, created_at: now, updated_at: now })
        .returning()
      if (!row) throw new Error('The tag was not inserted')
      await tx.record({ ...entry('created', row.id), attributes: { ...input } })
      return presentTag(row, null)
    }),
  )

/**
 * Changes a tag, and the tags of all that carry it if its name or the spelling of a value changes.
 * @throws DomainError not-found; conflict if it has changed since `updated_at`; invalid for a taken name, and if values that are
 * carried are not of the new type
 */
export const editTag = (
  context: Context,
  id: number,
  { updated_at: seen, ...input }: TagChange,
): Promise<void> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      const row = await lockTag(tx, id)
      await rejectStaleWrite(tx, { type: 'tag', id }, 'tag', row.updated_at, seen)
      const changed = difference<Partial<Row>>(row, input)
      if (changed === null) return tx.skipAudit()
      await tx.db
        .update(tags)
        .set({ ...changed.attributes, updated_at: nextUpdatedAt(row, tx) })
        .where(eq(tags.id, id))
      const { name, type, options } = changed.attributes
      if (name !== undefined || type !== undefined || options !== undefined)
        await convertCarried(tx, row.name, input, type === undefined ? 'options' : 'type')
      await tx.record({ ...entry('updated', id), ...changed })
    }),
  )

/**
 * Replaces a tag by another one, wherever it is carried, and deletes it. Its check is kept where the other one has none.
 * @throws DomainError not-found; invalid for an unknown tag and for itself, and if values that are carried are not of its type
 */
export const mergeTag = (context: Context, id: number, { into }: TagMerge): Promise<void> =>
  withAudit(context, async (tx) => {
    const [target] = await tx.db.select({ id: tags.id }).from(tags).where(eq(tags.name, into))
    if (!target) throw invalid({ into: message('tag_unknown', { name: into }) })
    if (target.id === id) throw invalid({ into: message('tag_into_itself') })
    const locked = await tx.db
      .select()
      .from(tags)
      .where(inArray(tags.id, [id, target.id]))
      .orderBy(tags.id)
      .for('update')
    const source = locked.find((row) => row.id === id)
    const kept = locked.find((row) => row.id === target.id)
    if (!source) throw notFound('tag_not_found', { id })
    // Renamed or deleted meanwhile.
    if (kept?.name !== into) throw invalid({ into: message('tag_unknown', { name: into }) })
    await convertCarried(tx, source.name, asRule(kept), 'into')
    const merge = `${source.name} → ${into}`
    const lost = await moveCheck(tx, { type: 'tag', from: id, into: kept.id, merge })
    await tx.db.delete(tags).where(eq(tags.id, id))
    await tx.record({
      ...entry('merged', kept.id),
      old: { ...factsOf(source), ...lost },
      attributes: { merge },
    })
  })

/**
 * Takes a tag away from all that carry it and deletes it.
 * @throws DomainError not-found; conflict while an alert route or a maintenance window uses it, which would match everything or
 * nothing without it
 */
export const deleteTag = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const row = await lockTag(tx, id)
    const use = await findConditionUse(tx.db, ({ tags: named }) => namesTag(named, row.name), tx.now())
    if (use !== null)
      throw 'route' in use ? conflict('tag_used_by_route', use) : conflict('tag_used_by_window', use)
    await rewriteTags(tx, row.name, () => null, `${row.name} → –`)
    const lost = await readLostCheck(tx, id)
    await tx.db.delete(tags).where(eq(tags.id, id))
    await tx.record({ ...entry('deleted', id), old: { ...factsOf(row), ...lost } })
  })

/** @param field of the error about values that are not of the new type */
async function convertCarried(tx: AuditTransaction, from: string, to: TagRule, field: string): Promise<void> {
  const values = await readCarriedValues(tx.db, from)
  const misfits = values.filter((value) => 'error' in readTagValue(to, value))
  if (misfits.length > 0) {
    const named = misfits.slice(0, maxNamed).join(', ')
    throw invalid({
      [field]: message('tag_values_misfit', { values: misfits.length > maxNamed ? `${named}, …` : named }),
    })
  }
  const replace = (value: string | null) => {
    const read = readTagValue(to, value)
    return joinTag(to.name, 'error' in read ? value : read.value)
  }
  const change = from === to.name ? from : `${from} → ${to.name}`
  await rewriteTags(tx, from, replace, change, async () => {
    await rewriteTagConditions(tx, from, replace, change)
    await rewriteTagViews(tx, from, replace, change)
  })
}

const factsOf = ({ name, type, options, color, description }: Row) => ({
  name,
  type,
  options,
  color,
  description,
})

async function lockTag(tx: Scope, id: number): Promise<Row> {
  const [row] = await tx.db.select().from(tags).where(eq(tags.id, id)).for('update')
  if (!row) throw notFound('tag_not_found', { id })
  return row
}
