import { filterKey, type ListName } from '@kustos/contract/views'
import { viewEvaluations, views } from '@kustos/database/tables'
import { and, asc, eq, like, or } from 'drizzle-orm'
import { type AuditTransaction, entriesOf, type LogEntry, nextUpdatedAt } from './audit.ts'

const entry = entriesOf('views', 'view')

type Query = readonly [string, string][]

/**
 * Replaces names in the filters of saved views, private ones included, with a log entry for each that has changed. `updated_at` changes
 * as well, so that a list that has the view open does not write the old name back unnoticed. Followers are notified as before: what
 * they have not seen yet is not lost, as it would be with a filter that somebody has changed.
 * @param parameters those of a list that may have the names, such as `f.tags`
 * @param change names the change in the entries
 */
export async function rewriteViews(
  tx: AuditTransaction,
  parameters: readonly string[],
  replace: (list: ListName, query: Query) => Query,
  change: object,
): Promise<void> {
  const rows = await tx.db
    .select({ id: views.id, list: views.list, query: views.query, updated_at: views.updated_at })
    .from(views)
    .where(or(...parameters.map((name) => like(views.query, `%${name}=%`))))
    .orderBy(asc(views.id))
    .for('no key update')
  const entries: LogEntry[] = []
  for (const { id, list, query: old, updated_at } of rows) {
    const pairs = [...new URLSearchParams(old)]
    const replaced = replace(list, pairs)
    if (JSON.stringify(replaced) === JSON.stringify(pairs)) continue
    const query = new URLSearchParams([...replaced]).toString()
    await tx.db
      .update(views)
      .set({ query, updated_at: nextUpdatedAt({ updated_at }, tx) })
      .where(eq(views.id, id))
    await tx.db
      .update(viewEvaluations)
      .set({ filter: filterKey(replaced) })
      .where(and(eq(viewEvaluations.view_id, id), eq(viewEvaluations.filter, filterKey(pairs))))
    entries.push({ ...entry('updated', id), old: { query: old }, attributes: { query, ...change } })
  }
  if (entries.length > 0) await tx.recordAll(entries)
}
