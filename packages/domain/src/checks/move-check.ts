import { checks } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { type AuditTransaction, difference, entriesOf, nextUpdatedAt } from '../platform/audit.ts'
import type { Scope } from '../platform/context.ts'
import { shown } from './merge.ts'
import { isSame } from './stored.ts'
import { columns, findRow } from './subject.ts'

interface Merge {
  readonly type: 'tag' | 'customer'
  readonly from: number
  readonly into: number
  /** Names the merge in the log. */
  readonly merge: string
}

/**
 * Gives the check of a tag or a customer to the one that it is merged into, if that has none. Both are locked by the caller. The row
 * stays the same, since values of headers are sealed for it.
 * @returns the settings that are lost otherwise, for the log
 */
export async function moveCheck(
  tx: AuditTransaction,
  { type, from, into, merge }: Merge,
): Promise<{ readonly check?: object }> {
  const source = await findRow(tx.db, { type, id: from, name: null }, true)
  if (source === null || isSame(source.settings, {})) return {}
  const target = await findRow(tx.db, { type, id: into, name: null }, true)
  if (target !== null && !isSame(target.settings, {})) return { check: describeCheck(source.settings) }
  if (target !== null) await tx.db.delete(checks).where(eq(checks.id, target.id))
  await tx.db
    .update(checks)
    .set({ [columns[type]]: into, updated_at: nextUpdatedAt(target ?? source, tx) })
    .where(eq(checks.id, source.id))
  const changed = difference(shown({}), shown(source.settings))
  await tx.record({
    ...entriesOf('checks', type)('check changed', into),
    old: { ...changed?.old },
    attributes: { ...changed?.attributes, merge },
  })
  return {}
}

/** The settings of a tag that is about to be deleted with them, for the log. */
export async function readLostCheck(
  { db }: Pick<Scope, 'db'>,
  tag: number,
): Promise<{ readonly check?: object }> {
  const row = await findRow(db, { type: 'tag', id: tag, name: null }, true)
  return row === null || isSame(row.settings, {}) ? {} : { check: describeCheck(row.settings) }
}

/** What is set, without values of headers. */
const describeCheck = (settings: typeof checks.$inferSelect.settings): object => ({
  ...difference(shown({}), shown(settings))?.attributes,
})
