import { sortTags, splitTag } from '@kustos/contract/tags'
import type { Transaction } from '@kustos/database/client'
import { alertRoutes, maintenanceScopes, maintenanceWindows } from '@kustos/database/tables'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { AuditTransaction, LogEntry } from '../platform/audit.ts'
import { namesTag } from './names-tag.ts'

/**
 * Replaces a tag in what alert routes match and maintenance windows cover, with a log entry for each that has changed. Every value
 * that they name stays one, also beside those of another tag: what they match is not narrowed. `updated_at` stays, since a form
 * that still names the old tag is refused.
 * @param change names the change in the entries
 */
export async function rewriteConditions(
  tx: AuditTransaction,
  name: string,
  replace: (value: string | null) => string,
  change: string,
): Promise<void> {
  const entries: LogEntry[] = []
  for (const table of [alertRoutes, maintenanceScopes]) {
    const rows = await tx.db
      .select({ id: table.id, tags: table.tags })
      .from(table)
      .where(namesTag(table.tags, name))
      .orderBy(asc(table.id))
      .for('no key update')
    for (const { id, tags: old } of rows) {
      const tags = replaceCondition(old, name, replace)
      if (String(tags) === String(old)) continue
      await tx.db.update(table).set({ tags }).where(eq(table.id, id))
      const properties = { old: { tags: old }, attributes: { tags, tag: change } }
      const subjects = table === alertRoutes ? [routeEntry(id)] : await entriesOfScope(tx.db, id)
      entries.push(...subjects.map((entry) => ({ ...entry, ...properties })))
    }
  }
  if (entries.length > 0) await tx.recordAll(entries)
}

function replaceCondition(
  tags: readonly string[],
  name: string,
  replace: (value: string | null) => string,
): string[] {
  const replaced = tags.map((tag) => {
    const carried = splitTag(tag)
    return carried.name === name ? replace(carried.value) : tag
  })
  return sortTags([...new Set(replaced)])
}

const routeEntry = (id: number): LogEntry => ({
  log: 'alert-routes',
  description: 'updated',
  subject: { type: 'alert_route', id },
})

/** Those of the windows that cover a scope. Earlier scopes of a window belong to none. */
async function entriesOfScope(db: Transaction, scope: number): Promise<LogEntry[]> {
  const windows = await db
    .select({ id: maintenanceWindows.id })
    .from(maintenanceWindows)
    .where(and(eq(maintenanceWindows.scope_id, scope), isNull(maintenanceWindows.deleted_at)))
  return windows.map(({ id }) => ({
    log: 'maintenance',
    description: 'updated',
    subject: { type: 'maintenance_window', id },
  }))
}
